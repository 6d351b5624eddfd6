// Runs the page's cells in real Python, in a worker of this tab. The page is complete without it: it adds the running.
"use strict";
const main = document.getElementById("main");
const state = document.getElementById("state");
const LONGEST = 200000; // characters of one output that are shown; a loop can print more than a page can hold

const cells = Array.from(document.querySelectorAll(".cell"), (element, index) => ({
  number: index + 1,
  element,
  code: element.querySelector("textarea"),
  output: element.querySelector(".output"),
  shown: element.querySelector(".shown"),
  mark: element.querySelector(".mark"),
  saved: element.querySelector(".shown").cloneNode(true),
  origin: "saved output",
  ran: false, // in the Python that is running now
}));
let python = null;
let queue = [];
let running = null; // { cell, started }

const say = (text) => {
  state.textContent = text;
};

function mark() {
  for (const cell of cells) {
    const waiting = queue.includes(cell) ? ", waiting to run" : "";
    cell.mark.textContent = running?.cell === cell ? "running…" : cell.origin + waiting;
    cell.output.setAttribute("aria-busy", String(running?.cell === cell));
  }
}

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

function forget() {
  python?.end();
  python = null;
  queue = [];
  if (running) {
    running.cell.origin = "stopped before its output was complete";
    running.cell.ran = false;
    running = null;
  }
  for (const cell of cells) {
    if (cell.ran) cell.origin = "run here, in a Python that has ended";
    cell.ran = false;
  }
  mark();
}

function start() {
  const { archive, sha256, folder, runtime, files, install } = main.dataset;
  const at = (path) => new URL(path, location.href).href;
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
  const { cell, started } = running;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const error = outputs.at(-1)?.output_type === "error" ? outputs.at(-1) : null;
  python.settle();
  running = null;
  cell.shown.replaceChildren(...outputs.map(rendered));
  const equal = cell.shown.isEqualNode(cell.saved) ? "the same as saved" : "other than saved";
  cell.ran = !error;
  cell.origin = error ? `run here in ${seconds} s, ended by an error` : `run here in ${seconds} s, ${equal}`;
  if (error) queue = [];
  mark();
  say(error ? `Cell ${cell.number}: ${error.ename}: ${error.evalue}` : `Cell ${cell.number}: ${cell.origin}.`);
}

function next() {
  if (running || !queue.length) return;
  if (!python) start();
  if (!python.ready) return;
  const cell = queue.shift();
  running = { cell, started: performance.now() };
  cell.shown.replaceChildren();
  mark();
  say(`Cell ${cell.number} is running…`);
  python.run(cell.code.value, `cell ${cell.number}`);
}

function enqueue(wanted) {
  queue.push(...wanted.filter((cell) => !queue.includes(cell)));
  mark();
  next();
}

// A cell needs what those above it defined: they run first, unless they have run already.
const run = (cell) => enqueue(cells.filter((other) => other === cell || (other.number < cell.number && !other.ran && other !== running?.cell)));

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
  cell.code.value = cell.code.defaultValue;
  fit(cell);
  if (running?.cell === cell) return;
  cell.shown.replaceChildren(...cell.saved.cloneNode(true).childNodes);
  cell.origin = "saved output";
  mark();
}

function fit(cell) {
  cell.code.rows = cell.code.value.split("\n").length;
}

const ACTIONS = {
  "run-all": () => enqueue(cells),
  stop,
  restart: () => {
    forget();
    say("Python has ended, and its variables are gone; the next Run starts it again.");
  },
  "restore-all": () => {
    cells.forEach(restore);
    say("The saved code and outputs are back.");
  },
  run,
  restore: (cell) => {
    restore(cell);
    say(`Cell ${cell.number}: the saved code and output are back.`);
  },
};

if (location.protocol.startsWith("http")) {
  for (const buttons of document.querySelectorAll(".buttons")) buttons.hidden = false;
  for (const cell of cells) {
    cell.code.addEventListener("input", () => fit(cell));
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
  say("The saved results are shown. Nothing has run yet. Run starts Python; Shift and Enter in a cell run it, too.");
}
