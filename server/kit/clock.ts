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
export const iso = (at: number): string => new Date(at).toISOString();

/** The same for an instant that may be absent. */
export const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));
