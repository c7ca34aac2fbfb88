// Jobs of an upgrade that look at all rows of a kind, in batches and several passes.
import * as z from "zod";
import { dayMs, hourMs } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import type { Later } from "./runner";
import type { Progress } from "./store";

/**
 * How long after the previous pass each pass begins, in milliseconds. During a rolling upgrade, processes of the previous
 * version still write rows by its own rules.
 */
export const passes = [0, hourMs, dayMs] as const;

const progressShape = z.strictObject({
  pass: z.int(),
  /** The id of the last row that this pass has looked at. */
  after: z.string(),
});

interface Passes {
  signal: AbortSignal;
  /** What the last run returned. */
  saved: Progress;
  /** Batches in one run. */
  runs: number;
  /** What the log says at the end of each pass. */
  message: string;
}

/**
 * Runs some batches. `takeBatch` gets the id after which a batch begins, and resolves to the last id in it; undefined if
 * there is none. Resolves to where the job continues, until the last pass is over.
 */
export async function inPasses(
  { clock, log }: Pick<Runtime, "clock" | "log">,
  { signal, saved, runs, message }: Passes,
  takeBatch: (after: string) => Promise<string | undefined>,
): Promise<Later | undefined> {
  const { pass, after } = saved === null ? { pass: 1, after: "" } : progressShape.parse(saved);
  let last = after;
  for (let batches = 0; batches < runs && !signal.aborted; batches++) {
    const next = await takeBatch(last);
    if (next === undefined) {
      log.info({ pass }, message);
      const pause = passes[pass];
      return pause === undefined ? undefined : { again: clock.now() + pause, progress: { pass: pass + 1, after: "" } };
    }
    last = next;
  }
  return { again: clock.now(), progress: { pass, after: last } };
}
