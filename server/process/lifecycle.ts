// What runs this process and whether it is shutting down, known to our bundle and to Next's alike, and what to end when it does.
const SLOT = Symbol.for("quittance.lifecycle");
type Lifecycle = { isOwnServer: boolean; isDraining: boolean; waiting: Set<AbortController> };
const shared = globalThis as typeof globalThis & { [SLOT]?: Lifecycle };
shared[SLOT] ??= { isOwnServer: false, isDraining: false, waiting: new Set() };
const lifecycle = shared[SLOT];

/** Says that server/main.ts runs this process, which opens and closes things itself. */
export function declareOwnServer(): void {
  lifecycle.isOwnServer = true;
}

/** False under `next dev` and any other host of Next. */
export function isOwnServer(): boolean {
  return lifecycle.isOwnServer;
}

/** True from the moment the process was asked to stop. */
export function isDraining(): boolean {
  return lifecycle.isDraining;
}

/** Marks the process as stopping and aborts every signal handed out, so that long polls answer at once. */
export function beginDraining(): void {
  lifecycle.isDraining = true;
  for (const controller of lifecycle.waiting) controller.abort(new Error("the server is shutting down"));
  lifecycle.waiting.clear();
}

/** A controller whose signal is aborted when the process drains; `release` it when the request is over. */
export function drainable(): { controller: AbortController; release(): void } {
  const controller = new AbortController();
  if (lifecycle.isDraining) controller.abort(new Error("the server is shutting down"));
  lifecycle.waiting.add(controller);
  return { controller, release: () => void lifecycle.waiting.delete(controller) };
}
