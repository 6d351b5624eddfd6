// Edits are kept in this browser, and the notebook can be taken along as it is shown.
"use strict";

// Of another edition, which has another archive, nothing is taken up: its cells are other cells.
const keptAs = (cell) => `notebook ${main.dataset.sha256} ${cell.id}`;

// Return the code that this browser kept of a cell, null if none. A browser may refuse even to be asked.
function kept(cell) {
  try {
    return localStorage.getItem(keptAs(cell));
  } catch {
    return null;
  }
}

// Keep a cell's code if it is not the saved one; return whether nothing would be lost if the page were left now.
function keep(cell) {
  try {
    if (changed(cell)) localStorage.setItem(keptAs(cell), cell.code.value);
    else localStorage.removeItem(keptAs(cell));
    return true;
  } catch {
    return !changed(cell);
  }
}

const inLines = (text) => text.match(/[^\n]*\n|[^\n]+/g) ?? []; // as the notebook's format keeps a text

const byName = (value) =>
  value && typeof value === "object" && !Array.isArray(value)
    ? Object.fromEntries(Object.keys(value).sort().map((name) => [name, byName(value[name])]))
    : value;

// Return an output as Jupyter saves it, which joins the lines of a traceback itself, and counts a value as its cell.
function written(output, count) {
  const { traceback } = output;
  if (traceback) return byName({ ...output, traceback: traceback.map((line) => line.replace(/\n$/, "")) });
  return byName("execution_count" in output ? { ...output, execution_count: count } : output);
}

// Return a cell as it is shown; one whose code has changed since it ran has no outputs, since they are not its own.
function asShown(cell) {
  const { held, result } = cell;
  if (result.asSaved && !edited(cell)) return held;
  const source = inLines(cell.code.value);
  if (edited(cell)) return { ...held, execution_count: null, outputs: [], source };
  return { ...held, execution_count: result.count, outputs: result.outputs.map((output) => written(output, result.count)), source };
}

// Return the notebook's file: the saved one, byte for byte, if nothing differs from it.
function notebookFile(notebook, cells) {
  const shown = new Map(cells.map((cell) => [cell.held, asShown(cell)]));
  return `${JSON.stringify({ ...notebook, cells: notebook.cells.map((cell) => shown.get(cell) ?? cell) }, null, 1)}\n`;
}

function download(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/x-ipynb+json" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000); // the browser reads it after the click
}
