// Time as the product sees it: one clock, injected, that never runs backwards.

export interface Clock {
  /** Epoch milliseconds, UTC. */
  now(): number;
}

/** The machine's clock, held at its furthest point while the machine's clock is set back, so that no token revives. */
export function systemClock(): Clock {
  let latest = 0;
  return {
    now: () => {
      latest = Math.max(latest, Date.now());
      return latest;
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
