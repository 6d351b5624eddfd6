// Runs the page's cells in real Python, in a worker of this tab. The page is complete without it: it adds the running.
"use strict";
const main = document.getElementById("main");
const state = document.getElementById("state");
const notebook = JSON.parse(document.getElementById("notebook").textContent);
const heldCells = notebook.cells.filter((cell) => cell.cell_type === "code");

const cells = Array.from(document.querySelectorAll(".cell"), (element, index) => {
  const code = element.querySelector("textarea");
  const { id, outputs, execution_count: count } = heldCells[index];
  const saved = { code: code.defaultValue, session: 0, order: index, end: "saved", asSaved: true, outputs, count };
  return {
    number: index + 1,
    id,
    element,
    code,
    output: element.querySelector(".output"),
    shown: element.querySelector(".shown"),
    mark: element.querySelector(".mark"),
    count: element.querySelector(".count"),
    held: heldCells[index],
    nodes: element.querySelector(".shown").cloneNode(true),
    saved,
    result: saved,
    executed: null, // { session, code }: what of this cell that Python last ran
    failed: null, // the cell whose failure kept this one from running
    unkept: false, // whether its edit would be lost if the page were left now
  };
});
let python = null;
let session = 0; // the number of the Python that runs now, or of the last that did
let ran = 0; // cells that this Python has run
let queue = [];
let running = null; // { cell, code, started }

const say = (text) => {
  state.textContent = text;
};

// "cell 2", "cells 2, 3 and 5"
const named = (some) =>
  `cell${some.length > 1 ? "s" : ""} ${new Intl.ListFormat("en-GB").format(some.map(({ number }) => String(number)))}`;

const capital = (text) => text[0].toUpperCase() + text.slice(1);

function describe(cell) {
  const waiting = queue.includes(cell) ? ", waiting to run" : "";
  const failed = cell.failed ? `; not run, since cell ${cell.failed.number} failed` : "";
  return description(cell, cells, python ? session : null) + waiting + failed;
}

function mark() {
  for (const cell of cells) {
    const busy = running?.cell === cell;
    cell.mark.textContent = busy ? "running…" : describe(cell);
    cell.count.textContent = busy ? "[*]" : `[${cell.result.count ?? " "}]`;
    cell.output.setAttribute("aria-busy", String(busy));
    cell.element.classList.toggle("stale", !busy && staleness(cell, cells) !== "");
  }
}

function forget() {
  python?.end();
  python = null;
  queue = [];
  if (running) {
    const { cell, code } = running;
    cell.result = { code, session, order: ran, end: "stopped", asSaved: false, outputs: [], count: null };
    running = null;
  }
  for (const cell of cells) cell.executed = null;
  mark();
}

function start() {
  const { archive, sha256, folder, runtime, files, install } = main.dataset;
  const at = (path) => new URL(path, location.href).href;
  session += 1;
  ran = 0;
  python = new Python({ archive: at(archive), sha256, folder, runtime: at(runtime), files: JSON.parse(files), install }, received);
}

function received({ stage, ready, outputs, failed }) {
  if (stage) say(stage);
  if (ready) python.ready = true;
  if (outputs) finished(outputs);
  if (failed) {
    forget();
    say(`Python has ended: ${failed}`);
  } else next();
}

function finished(outputs) {
  const { cell, code, started } = running;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const error = outputs.at(-1)?.output_type === "error" ? outputs.at(-1) : null;
  python.settle();
  running = null;
  cell.shown.replaceChildren(...outputs.map(rendered));
  const asSaved = code === cell.saved.code && cell.shown.isEqualNode(cell.nodes);
  cell.result = { code, session, order: ran, end: error ? "error" : "run", asSaved, seconds, outputs, count: ran };
  const left = error ? queue : [];
  if (error) queue = [];
  for (const other of left) other.failed = cell;
  mark();
  if (!error) return say(`Cell ${cell.number}: ${describe(cell)}.`);
  const reason = [error.ename, error.evalue].filter(Boolean).join(": ");
  const dropped = left.length ? `. ${capital(named(left))} ${left.length > 1 ? "were" : "was"} not run.` : "";
  say(`Cell ${cell.number}: ${reason}${dropped}`);
}

function next() {
  if (running || !queue.length) return;
  if (!python) start();
  if (!python.ready) return;
  const cell = queue.shift();
  const code = cell.code.value;
  running = { cell, code, started: performance.now() };
  cell.executed = { session, code };
  ran += 1;
  cell.shown.replaceChildren();
  mark();
  say(`Cell ${cell.number} is running…`);
  python.run(code, `cell ${cell.number}`);
}

// What is wanted runs in its order, after all else that waits.
function enqueue(wanted) {
  queue = [...queue.filter((cell) => !wanted.includes(cell)), ...wanted];
  for (const cell of cells) cell.failed = null;
  mark();
  next();
}

// A cell needs what those above it defined: they run first, unless they have run already. One that failed has run: it is
// told at once, and does not keep those below from being run one by one.
const run = (cell) => enqueue(cells.filter((other) => other === cell || (other.number < cell.number && !other.executed && !queue.includes(other))));

function stop() {
  const end = () => {
    forget();
    say("Stopped. Python has ended, and its variables are gone; the next Run starts it again.");
  };
  queue = [];
  mark();
  if (!python) say("Nothing is running.");
  else if (!python.ready || (running && !python.interrupt)) end();
  else if (running) {
    python.stop(end);
    say("Stopping…");
  } else say("Nothing is running.");
}

function restore(cell) {
  cell.code.value = cell.saved.code;
  wasEdited(cell);
  if (running?.cell === cell) return;
  cell.failed = null;
  if (cell.result.asSaved) return; // what ran is what was saved
  cell.shown.replaceChildren(...cell.nodes.cloneNode(true).childNodes);
  cell.result = cell.saved;
  if (cell.executed?.code !== cell.saved.code) cell.executed = null; // Python holds what other code made
}

function fit(cell) {
  cell.code.rows = cell.code.value.split("\n").length;
}

function wasEdited(cell) {
  fit(cell);
  cell.unkept = !keep(cell);
  if (cell.unkept) say("This browser does not keep your edits. Download the notebook before you leave the page.");
}

// Take up what this browser kept of an earlier visit; return the cells whose code it was.
function takenUp() {
  const found = cells.filter((cell) => ![null, cell.saved.code].includes(kept(cell)));
  for (const cell of found) {
    cell.code.value = kept(cell);
    fit(cell);
  }
  return found;
}

const ACTIONS = {
  "run-all": () => enqueue(cells),
  stop,
  restart: () => {
    forget();
    say("Python has ended, and its variables are gone; the next Run starts it again.");
  },
  "restart-all": () => {
    forget();
    enqueue(cells);
  },
  "restore-all": () => {
    const lost = cells.filter(changed);
    if (lost.length && !confirm(`Give up your edits of ${named(lost)}?`)) return;
    cells.forEach(restore);
    mark();
    say("The saved code and outputs are back.");
  },
  download: () => {
    const left = cells.filter(edited);
    download(main.dataset.notebook, notebookFile(notebook, cells));
    say(left.length ? `Downloaded, without outputs of ${named(left)}, whose code has changed since.` : "Downloaded, with code and outputs as shown.");
  },
  run,
  "run-to": (cell) => enqueue(cells.slice(0, cell.number)),
  restore: (cell) => {
    restore(cell);
    mark();
    say(`Cell ${cell.number}: the saved code and output are back.`);
  },
};

if (location.protocol.startsWith("http")) {
  for (const buttons of document.querySelectorAll(".buttons")) buttons.hidden = false;
  for (const cell of cells) {
    cell.code.readOnly = false;
    cell.code.addEventListener("input", () => {
      wasEdited(cell);
      mark();
    });
    cell.code.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.shiftKey || event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      run(cell);
    });
  }
  document.addEventListener("click", ({ target }) => {
    const action = ACTIONS[target.dataset?.action];
    if (action) action(cells.find(({ element }) => element.contains(target)));
  });
  addEventListener("beforeunload", (event) => {
    if (cells.some(({ unkept }) => unkept)) event.preventDefault();
  });
  const found = takenUp();
  mark();
  const back = found.length ? `Your edits of ${named(found)} are back, as this browser kept them. ` : "";
  say(`${back}Nothing has run yet. Run starts Python, as do Shift and Enter in a cell.`);
}
