// Notifies waiters in this process when an object changes. Changes of other processes are found by polling.
import { EventEmitter } from "node:events";

export class Changes {
  private readonly emitter = new EventEmitter().setMaxListeners(0);

  announce(objectId: string): void {
    this.emitter.emit(objectId);
  }

  /** Resolves at the next change of one of the objects, after `timeout` ms, or when the signal fires. Never rejects. */
  next(objectIds: readonly string[], timeout: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        for (const id of objectIds) this.emitter.off(id, done);
        signal.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, timeout);
      for (const id of objectIds) this.emitter.once(id, done);
      signal.addEventListener("abort", done, { once: true });
      if (signal.aborted) done();
    });
  }
}
