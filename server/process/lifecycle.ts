// Whether our own server runs this process and whether it is shutting down. Shared by our bundle and Next's.
const slot = Symbol.for("quittance.lifecycle");
type Lifecycle = { isOwnServer: boolean; isDraining: boolean; waiting: Set<AbortController> };
const shared = globalThis as typeof globalThis & { [slot]?: Lifecycle };
shared[slot] ??= { isOwnServer: false, isDraining: false, waiting: new Set() };
const lifecycle = shared[slot];

/** Records that server/main.ts runs this process and opens and closes everything itself. */
export function declareOwnServer(): void {
  lifecycle.isOwnServer = true;
}

/** False under `next dev` and any other host of Next. */
export function isOwnServer(): boolean {
  return lifecycle.isOwnServer;
}

/** True once the process has been told to stop. */
export function isDraining(): boolean {
  return lifecycle.isDraining;
}

/** Marks the process as stopping and aborts every signal handed out, so that long polls answer at once. */
export function beginDraining(): void {
  lifecycle.isDraining = true;
  for (const controller of lifecycle.waiting) controller.abort(new Error("the server is shutting down"));
  lifecycle.waiting.clear();
}

/** A controller whose signal is aborted when the process drains. Call `release` when the request ends. */
export function drainable(): { controller: AbortController; release(): void } {
  const controller = new AbortController();
  if (lifecycle.isDraining) controller.abort(new Error("the server is shutting down"));
  lifecycle.waiting.add(controller);
  return { controller, release: () => void lifecycle.waiting.delete(controller) };
}
