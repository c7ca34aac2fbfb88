// Corrects, when a worker starts, what an earlier process wrote into the queue while its clock was ahead.
import type { SQL } from "drizzle-orm";
import { forgetValues } from "@/db/errors";
import { databaseNow } from "@/db/now";
import type { Runtime } from "@/server/kit/runtime";
import { moveBack } from "./store";

/** How far the clocks of two machines may differ, in milliseconds. */
const skewMs = 60_000;

/** Moves jobs from the future back to their time. `now` is the database's time: this process's clock may be wrong as well. */
export async function healQueue({ db, log }: Runtime, now: number | SQL = databaseNow): Promise<void> {
  await db
    .write((tx) => moveBack(tx, now, skewMs))
    .catch((error: unknown) => log.error({ err: forgetValues(error) }, "the queue could not be looked through"));
}
