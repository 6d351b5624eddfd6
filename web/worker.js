// The worker in which Python runs. It is told once to start, then to run a cell at a time, and answers in messages.
let session;

const tell = (message) => self.postMessage(message);

async function fetched(url) {
  const answer = await fetch(url).catch(() => ({ ok: false, status: "no answer" }));
  if (!answer.ok) throw new Error(`${url} cannot be loaded (${answer.status}).`);
  return answer.arrayBuffer();
}

async function verified(url, expected) {
  if (!self.crypto.subtle) throw new Error("The browser computes no digests here: the page needs https, or this computer's own address.");
  const raw = await fetched(url);
  const digest = Array.from(new Uint8Array(await self.crypto.subtle.digest("SHA-256", raw)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
  if (digest !== expected) {
    throw new Error(`The archive is refused: its SHA-256 is ${digest}, and this page was made for ${expected}.`);
  }
  return raw;
}

async function runtimeFrom(url, version, install) {
  const { loadPyodide, version: found } = await import(`${url}pyodide.mjs`).catch(() => {
    throw new Error(`The Python runtime is not at ${url}. In the project's folder, type: ${install}`);
  });
  if (found !== version) throw new Error(`The runtime at ${url} is ${found}, not ${version}. Type: ${install}`);
  return loadPyodide({ indexURL: url, packageBaseUrl: url, stdin: () => null });
}

async function start({ archive, sha256, folder, runtime, version, install, interrupt }) {
  tell({ stage: "Loading the files and the Python runtime…" });
  const [raw, pyodide] = await Promise.all([verified(archive, sha256), runtimeFrom(runtime, version, install)]);
  tell({ stage: "The archive has the SHA-256 that this page holds. Unpacking it…" });
  pyodide.unpackArchive(raw, "zip", { extractDir: "/home/pyodide" });
  pyodide.runPython(`import os, sys; os.chdir("/home/pyodide/${folder}"); sys.path.insert(0, os.getcwd())`);
  session = pyodide.pyimport("scenario_ratio.notebook.running").Session();
  if (interrupt) pyodide.setInterruptBuffer(interrupt);
  tell({ ready: true });
}

self.onmessage = async ({ data }) => {
  try {
    if (data.start) await start(data.start);
    else tell({ outputs: JSON.parse(session.run_to_json(data.source, data.place)) });
  } catch (error) {
    tell({ failed: error.message || String(error) });
  }
};
