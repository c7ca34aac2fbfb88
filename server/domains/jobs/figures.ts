// The state of the queue for monitoring: how many jobs of each kind are due or dead, and for how long.
import type { Reader } from "@/db/client";
import { limits } from "@/server/kit/limits";
import { otherLabel } from "@/server/process/metrics";
import { countDeadKinds, countDueKinds, type KindCount } from "./figures-store";
import { priorityOf } from "./queue";

/** The kind as a label. A kind that only another version knows becomes `other`, so that labels stay bounded. */
export const kindLabel = (kind: string): string => (Object.hasOwn(priorityOf, kind) ? kind : otherLabel);

export interface QueueFigures {
  /** Jobs that wait although they are due. Each priority counts its longest due ones up to a limit. */
  due: readonly KindCount[];
  /** Jobs that failed too often, of all organizations, up to a limit. */
  dead: readonly KindCount[];
}

/** Reads the queue at `now` (epoch milliseconds). `limits.countedJobs` bounds what it reads. */
export async function queueFigures(q: Reader, now: number): Promise<QueueFigures> {
  const priorities = [...new Set(Object.values(priorityOf))];
  const most = limits.countedJobs;
  const [dead, ...due] = await Promise.all([
    countDeadKinds(q, most),
    ...priorities.map((priority) => countDueKinds(q, { priority, now }, most)),
  ]);
  return { due: labeled(due.flat()), dead: labeled(dead) };
}

const labeled = (counts: readonly KindCount[]): KindCount[] =>
  counts.map((each) => ({ ...each, kind: kindLabel(each.kind) }));
