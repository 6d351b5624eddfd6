// The Python of this tab: a worker that is started on the first Run and ended by Stop or Restart.
"use strict";
const PATIENCE = 5000; // ms that an interrupted cell has to end before Python is ended with it
const AGAIN = 500; // ms after which an interrupt is asked for again

class Python {
  // `site` is where the files are and what they must be; `heard` is called with each message of the worker.
  constructor(site, heard) {
    const source = document.getElementById("worker").textContent;
    const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    this.ready = false;
    // Memory is shared only where the server's headers allow it, and in some browsers not even then.
    const shares = self.crossOriginIsolated && typeof SharedArrayBuffer === "function";
    this.interrupt = shares ? new Uint8Array(new SharedArrayBuffer(1)) : null;
    this.worker = new Worker(address, { type: "module" });
    this.worker.onmessage = ({ data }) => heard(data);
    this.worker.onerror = (event) => heard({ failed: event.message || "The worker could not be started." });
    this.worker.postMessage({ start: { ...site, interrupt: this.interrupt } });
  }

  run(source, place) {
    if (this.interrupt) this.interrupt[0] = 0;
    this.worker.postMessage({ source, place });
  }

  // Interrupts the cell that runs; calls `gaveUp` if it has not ended in time. Python reads the shared byte and then
  // clears it, so that what is written between the two is lost: the interrupt is asked for until the cell has ended.
  stop(gaveUp) {
    if (this.asking) return;
    const since = performance.now();
    const ask = () => {
      if (performance.now() - since > PATIENCE) gaveUp();
      else this.interrupt[0] = 2; // SIGINT
    };
    this.asking = setInterval(ask, AGAIN);
    ask();
  }

  // To be called when a cell has ended: an interrupt that comes later would hit the next one.
  settle() {
    clearInterval(this.asking);
    this.asking = null;
  }

  end() {
    this.settle();
    this.worker.onmessage = null; // one may be on its way
    this.worker.terminate();
  }
}
