// Time in the product: one injected clock that never runs backwards and follows corrections carefully.
import { uptime } from "node:os";
import type { Tx } from "@/db/client";

export interface Clock {
  /** Epoch milliseconds, UTC. */
  now(): number;
  /** The clock of real time, if this one shows an organization's time (server/domains/organizations/time.ts). */
  readonly real?: Clock;
  /** The organization's time, which nobody moves until the transaction ends. */
  nowIn?(tx: Tx): Promise<number>;
}

/** The real time, whatever time the clock shows. */
export const realNow = (clock: Clock): number => (clock.real ?? clock).now();

/** The clocks that a clock is built from, all in milliseconds. */
export interface TimeSources {
  /** The machine's clock, which can be set. A process corrects it by the database's (database-clock.ts). */
  wall(): number;
  /** Advances regardless of changes to the machine's clock, but may stop while the machine sleeps. */
  monotonic(): number;
  /** Also advances while the machine sleeps. Read only when the other two disagree. */
  withSleep(): number;
}

export const machine: TimeSources = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  withSleep: () => uptime() * 1000,
};

/** A lead of the machine's clock that is followed at once, in milliseconds. */
export const followedMs = 2_000;

/** How long a larger lead must last before it is followed, in milliseconds. */
export const provenAfterMs = 120_000;

/** The speed of time while it is ahead of the machine's clock. */
const slowSpeed = 0.5;

/**
 * The product's time. It starts at the machine's clock, corrected by the database's, and advances with the monotonic
 * clock, so that changes to the machine's clock never turn it back. It follows corrections:
 *
 * - Forward by at most 2 s, or by the time that the machine slept: at once.
 * - Forward by more: after 2 minutes. A clock that is briefly wrong dates no row, ends no lockout and expires no hold;
 * a real correction is followed soon.
 * - Backward: time runs at half speed until the machine's clock catches up. It never stops, so whatever waits for it
 * still happens. Time is ahead like this only if the machine's clock was wrong for minutes or when the process started.
 * A restart corrects it at once, and rows that such a clock dated are recognized (server/domains/jobs/heal.ts,
 * db/throttles.ts).
 *
 * `report` is called when the machine's clock starts to differ, with its lead in milliseconds, negative if it is
 * behind.
 */
export function systemClock(sources: TimeSources = machine, report: (leadMs: number) => void = () => {}): Clock {
  const sleptMs = () => sources.withSleep() - sources.monotonic();
  let at = sources.wall();
  let readAt = sources.monotonic();
  let sleptBefore = sleptMs();
  /** A lead that is not yet followed, and since when it has lasted. */
  let doubt: { lead: number; since: number } | null = null;
  let isSlow = false;

  /** The time after `elapsed`, with the machine's clock `lead` ahead of where it would be without a correction. */
  function corrected(expected: number, elapsed: number, lead: number): number {
    if (lead <= followedMs) doubt = null;
    if (lead <= followedMs) return expected + Math.max(lead, elapsed * (slowSpeed - 1));
    const slept = sleptMs();
    if (lead - (slept - sleptBefore) <= followedMs) {
      sleptBefore = slept;
      return expected + lead;
    }
    if (doubt === null || Math.abs(lead - doubt.lead) > followedMs) {
      doubt = { lead, since: readAt };
      report(lead);
    }
    return readAt - doubt.since >= provenAfterMs ? expected + lead : expected;
  }

  return {
    now() {
      const elapsed = sources.monotonic() - readAt;
      readAt += elapsed;
      const lead = sources.wall() - (at + elapsed);
      at = corrected(at + elapsed, elapsed, lead);
      if (lead < -followedMs && !isSlow) report(lead);
      isSlow = lead < -followedMs;
      return Math.floor(at);
    },
  };
}

/** ISO 8601 in UTC with milliseconds, the format of instants in the API. */
export function iso(at: number): string {
  if (at !== written.at) written = { at, text: new Date(at).toISOString() };
  return written.text;
}

/** The last instant and its text, because the instants of a record are often equal. */
let written = { at: 0, text: new Date(0).toISOString() };

/** Like {@link iso}, for an instant that may be absent. */
export const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));
