// Sorting and filtering for tables marked data-sortable. The page is complete without it: it only adds controls.
"use strict";
for (const table of document.querySelectorAll("table[data-sortable]")) {
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  const headers = Array.from(table.tHead.rows[0].cells);

  const valueOf = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
  };
  const compare = (a, b) =>
    typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });

  headers.forEach((header, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = header.textContent;
    header.replaceChildren(button);
    button.addEventListener("click", () => {
      const direction = header.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
      headers.forEach((other) => other.removeAttribute("aria-sort"));
      header.setAttribute("aria-sort", direction);
      const sign = direction === "ascending" ? 1 : -1;
      const sorted = rows.slice().sort((a, b) => sign * compare(valueOf(a, column), valueOf(b, column)));
      body.append(...sorted);
    });
  });

  const filter = document.getElementById(table.dataset.sortable);
  const input = filter.querySelector("input");
  const status = filter.querySelector("[role=status]");
  filter.hidden = false;
  // A word of digits alone is a row id or a whole word, so that 285 finds row 285 and no rate that holds these digits.
  const texts = new Map(rows.map((row) => [row, Array.from(row.cells, (cell) => cell.textContent).join(" ").toLowerCase()]));
  const matches = (text, word) => (/^\d+$/.test(word) ? text.split(/[\s/]+/).includes(word) : text.includes(word));
  const apply = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      row.hidden = !words.every((word) => matches(texts.get(row), word));
      shown += row.hidden ? 0 : 1;
    }
    status.textContent = `${shown} of ${rows.length} rows shown`;
  };
  input.addEventListener("input", apply);
  apply();
}
