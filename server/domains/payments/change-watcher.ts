// Notifies waiting calls when a payment request changes, also by another process or by time.
import { watching } from "@/server/kit/watcher";
import type { Clock } from "@/server/process/clock";
import type { Runtime } from "@/server/process/runtime";
import { findStatusSnapshots, type StatusSnapshot } from "./store";

const watch = watching(findStatusSnapshots);

/**
 * Announces all changes of the payment request in this process until the returned function is called. `runtime.clock`
 * is that of its organization.
 */
export const watchPayment = (runtime: Runtime, snapshot: StatusSnapshot): (() => void) =>
  watch(runtime, snapshot, (row) => (row ? describe(row, runtime.clock) : "gone"));

/** A text that changes whenever the answer may: when the row is written, or a deadline passes. */
function describe({ status, updatedAt, expiresAt, captureBefore }: StatusSnapshot, clock: Clock): string {
  const now = clock.now();
  const isPast = (at: number | null) => at !== null && now >= at;
  return `${status} ${updatedAt} ${isPast(expiresAt)} ${isPast(captureBefore)}`;
}
