// What a cell's result is worth. A result says which code gave it (code), in which Python (session, 0: the one that made
// the saved outputs), as the how many-th there (order), how it ended (end), and whether code and outputs are as saved.
"use strict";

// The code has been written in since this result was computed.
const edited = (cell) => cell.code.value !== cell.result.code;

// The code is not the saved one: what a reader would not want to lose.
const changed = (cell) => cell.code.value !== cell.saved.code;

// A result rests on those above it as they were then. It still does if they ran before it in the same Python, and also
// if both are as saved: then all that is shown is what the saved run gave.
const restsOn = (result, above) =>
  (above.session === result.session && above.order < result.order) || (above.asSaved && result.asSaved);

// Return why the result shown is not what a run from the top would rest on, nothing if it is.
function staleness(cell, cells) {
  if (edited(cell)) return "its code has changed since";
  const fault = cells.slice(0, cell.number - 1).find((above) => edited(above) || !restsOn(cell.result, above.result));
  return fault ? `cell ${fault.number} above has changed since` : "";
}

function provenance({ end, session, seconds }, current) {
  if (end === "saved") return "saved output";
  if (end === "stopped") return "stopped before its output was complete";
  if (session !== current) return "run here, in a Python that has ended";
  return `run here in ${seconds} s${end === "error" ? ", ended by an error" : ""}`;
}

function comparison({ result, saved }) {
  if (result.end !== "run") return "";
  if (result.asSaved) return ", the same as saved";
  return result.code === saved.code ? ", output other than saved" : ", code other than saved";
}

// Return what stands over a cell's output. Nothing is compared with what is saved once the result is stale.
function description(cell, cells, current) {
  const stale = staleness(cell, cells);
  return provenance(cell.result, current) + (stale ? `; stale: ${stale}` : comparison(cell));
}
