// Time as the product sees it: one clock, injected, that never runs backwards and follows the right time with care.
import { uptime } from "node:os";

export interface Clock {
  /** Epoch milliseconds, UTC. */
  now(): number;
}

/** What a clock is made from, all in milliseconds. */
export interface TimeSources {
  /** The machine's clock, which can be set; a process corrects it by the database's (database-clock.ts). */
  wall(): number;
  /** Advances whatever is done to the machine's clock, but may stand still while the machine sleeps. */
  monotonic(): number;
  /** Advances while the machine sleeps, too. Read only when the two others disagree. */
  withSleep(): number;
}

export const machine: TimeSources = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  withSleep: () => uptime() * 1000,
};

/** How far the machine's clock may be ahead and still be followed at once, in milliseconds. */
export const followedMs = 2_000;

/** How long a clock that was set forward must stay there to be followed, in milliseconds. */
export const provenAfterMs = 120_000;

/** The speed of time while it is ahead of the machine's clock. */
const slowSpeed = 0.5;

/**
 * The product's time. It starts at the machine's clock, which is corrected by the database's, and advances with the
 * monotonic one, so that nothing done to the machine's clock turns it back. It follows corrections:
 *
 * - Forward by at most 2 s, or by the time that the machine slept: at once.
 * - Forward by more: after 2 minutes. A clock that is wrong for a moment dates no row, ends no lockout and lets no hold
 *   expire; a correction that is right is followed soon.
 * - Backward: time runs at half its speed until the machine's clock has caught up. It never stands still, so whatever
 *   waits for it happens. Only a clock that was wrong for minutes, or at the start of the process, gets this far; a
 *   restart ends it at once, since what such a clock dated is recognised (server/domains/jobs/heal.ts, db/throttles.ts).
 *
 * `report` is called when the machine's clock begins to differ, with its lead in milliseconds, negative if it is behind.
 */
export function systemClock(sources: TimeSources = machine, report: (leadMs: number) => void = () => {}): Clock {
  const sleptMs = () => sources.withSleep() - sources.monotonic();
  let at = sources.wall();
  let readAt = sources.monotonic();
  let sleptBefore = sleptMs();
  /** A lead that is not believed yet, and since when it has been there. */
  let doubt: { lead: number; since: number } | null = null;
  let isSlow = false;

  /** The time after `elapsed`, with the machine's clock `lead` ahead of what it would be without a correction. */
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

/** ISO 8601 in UTC with milliseconds, as the interface writes instants. */
export function iso(at: number): string {
  if (at !== written.at) written = { at, text: new Date(at).toISOString() };
  return written.text;
}

/** The last instant and how it is written: a record's instants are often the same one. */
let written = { at: 0, text: new Date(0).toISOString() };

/** The same for an instant that may be absent. */
export const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));
