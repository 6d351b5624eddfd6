// A cell's outputs as markup.
"use strict";
const LONGEST = 200000; // characters of one output that are shown; a loop can print more than a page can hold

// The same markup as scenario_ratio/notebook/page.py makes of a saved output, so that the two can be compared.
function rendered(output) {
  const drawing = output.data?.["image/svg+xml"];
  if (drawing) {
    const image = document.createElement("img");
    const bytes = new TextEncoder().encode(drawing.join(""));
    image.alt = output.data["text/plain"].join("");
    image.src = `data:image/svg+xml;base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}`;
    return image;
  }
  const block = document.createElement("pre");
  const text = (output.text ?? output.traceback ?? output.data["text/plain"]).join("");
  block.className = output.name ?? (output.traceback ? "error" : "result");
  block.tabIndex = 0;
  block.textContent = text.length > LONGEST ? `${text.slice(0, LONGEST)}\n[${text.length} characters; the rest is not shown]` : text;
  return block;
}
