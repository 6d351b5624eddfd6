// The worker in which Python runs. It is told once to start, then to run a cell at a time, and answers in messages.
let session;

const tell = (message) => self.postMessage(message);

// What goes wrong where nobody waits for it, as inside the runtime, is told too: the page would wait for ever.
self.addEventListener("unhandledrejection", ({ reason }) => tell({ failed: reason?.message || String(reason) }));

async function loaded(url, hint) {
  const answer = await fetch(url).catch(() => ({ ok: false, status: "no answer" }));
  const raw = answer.ok && (await answer.arrayBuffer().catch(() => null));
  if (!raw) throw new Error(`${url} cannot be loaded (${answer.ok ? "broken off" : answer.status}).${hint}`);
  return raw;
}

async function verified(url, expected, hint = "") {
  if (!self.crypto.subtle) throw new Error("The browser computes no digests here: the page needs https, or this computer's own address.");
  const raw = await loaded(url, hint);
  const digest = Array.from(new Uint8Array(await self.crypto.subtle.digest("SHA-256", raw)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
  if (digest !== expected) {
    throw new Error(`${url} is refused: its SHA-256 is ${digest}, and this page was made for ${expected}.${hint}`);
  }
  return raw;
}

// The runtime starts from the bytes that were compared, and from no others: it would ask for its files again by itself.
async function runtimeFrom(url, files) {
  const module = (name) => import(URL.createObjectURL(new Blob([files[name]], { type: "text/javascript" })));
  const types = { wasm: "application/wasm" }; // without which a browser does not compile
  const ask = self.fetch;
  self.fetch = async (asked) => {
    const name = String(asked).slice(url.length);
    return new Response(files[name], { headers: { "Content-Type": types[name.split(".").pop()] ?? "text/plain" } });
  };
  try {
    const { loadPyodide } = await module("pyodide.mjs");
    const { default: createPyodideModule } = await module("pyodide.asm.mjs");
    return await loadPyodide({ indexURL: url, packageBaseUrl: url, createPyodideModule, stdin: () => null });
  } finally {
    self.fetch = ask;
  }
}

async function start({ archive, sha256, folder, runtime, files, install, interrupt }) {
  tell({ stage: "Loading the files and the Python runtime…" });
  const hint = ` For the Python runtime, type in the project's folder: ${install}`;
  const wanted = Object.entries(files).map(([name, digest]) => verified(runtime + name, digest, hint));
  // All are waited for, so that of several faults always the first in this order is told.
  const arrived = await Promise.allSettled([verified(archive, sha256), ...wanted]);
  const fault = arrived.find(({ reason }) => reason);
  if (fault) throw fault.reason;
  const [raw, ...parts] = arrived.map(({ value }) => value);
  tell({ stage: "The archive and the runtime have the SHA-256 that this page holds. Starting Python…" });
  const pyodide = await runtimeFrom(runtime, Object.fromEntries(Object.keys(files).map((name, index) => [name, parts[index]])));
  pyodide.unpackArchive(raw, "zip", { extractDir: "/home/pyodide" });
  pyodide.runPython(`import os, sys; os.chdir("/home/pyodide/${folder}"); sys.path.insert(0, os.getcwd())`);
  session = pyodide.pyimport("scenario_ratio.notebook.running").Session();
  if (interrupt) pyodide.setInterruptBuffer(interrupt);
  tell({ ready: true });
}

// An interrupt can arrive just before a cell's first line or just after its last, where the session does not catch it.
function run({ source, place }) {
  try {
    return JSON.parse(session.run_to_json(source, place));
  } catch (error) {
    if (error.type !== "KeyboardInterrupt") throw error;
    return [{ output_type: "error", ename: error.type, evalue: "", traceback: [`${error.type}\n`] }];
  }
}

self.onmessage = async ({ data }) => {
  try {
    if (data.start) await start(data.start);
    else tell({ outputs: run(data) });
  } catch (error) {
    tell({ failed: error.message || String(error) });
  }
};
