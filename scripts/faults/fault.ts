// What a fault is, and what its rounds found.
import type { Engine } from "@/e2e/server";

export interface Found {
  rounds: number;
  /** Effects that callers saw confirmed. */
  acknowledged: number;
  /** Acknowledged effects that are missing. */
  lost: string[];
  /** Effects that exist more often than they were asked for. */
  doubled: string[];
  /** What must never occur: unexpected statuses, a damaged file, an unsound ledger, a leaked secret. */
  wrong: string[];
  /** From the end of each fault until a write was acknowledged again, in milliseconds. */
  recoveryMs: number[];
  /** What else the row says. */
  note?: string;
}

export interface Conditions {
  engine: Engine;
  /** Filled as the rounds go, because the program may be stopped at any moment. */
  found: Found;
  /**
   * The numbers of the rounds, from 1. Counts each round that has ended and says how far the fault is. Throws when the
   * program is stopped.
   */
  rounds: Iterable<number>;
  /** Aborted when the program is stopped. */
  signal: AbortSignal;
  /** From 0 to 1, the same sequence for the same seed. */
  random: () => number;
}

export interface Fault {
  /** For `--only`. */
  name: string;
  title: string;
  engines: readonly Engine[];
  /** Unless `--rounds` says otherwise. */
  rounds: number;
  /** What this machine lacks, and where to get it; null if nothing. */
  lacks?(): string | null;
  run(conditions: Conditions): Promise<void>;
}

export const nothingFound = (): Found => ({
  ...{ rounds: 0, acknowledged: 0, lost: [], doubled: [], wrong: [], recoveryMs: [] },
});

/** Numbers from 0 to 1 that depend on the seed alone (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
