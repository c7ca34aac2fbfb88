// Reads the progress of a scheduled job.
import { eq } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { jobs } from "@/db/tables";
import { type JobKind, keyOf } from "./queue";
import type { Progress } from "./store";

/** The saved progress of the object's job of this kind; undefined if it has none. */
export async function progressOf(q: Reader, kind: JobKind, objectId: string): Promise<Progress | undefined> {
  const [row] = await q
    .select({ progress: jobs.progress })
    .from(jobs)
    .where(eq(jobs.key, keyOf(kind, objectId)));
  return row?.progress;
}
