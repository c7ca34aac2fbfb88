// What happens to the reminders of many payment requests: they move with the hour and time zone of their account, and
// those that are due are skipped after a restore.
import * as z from "zod";
import type { Later } from "@/server/domains/jobs/runner";
import type { Progress } from "@/server/domains/jobs/store";
import { inTimeOf } from "@/server/domains/organizations/time";
import { inBackground } from "@/server/domains/records/in-background";
import type { WriteContext } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { retimeReminders, skipDueReminders } from "./reminder-plan";
import { findDue, findPlanned } from "./reminder-store";
import { lockPayments, readPayment } from "./store";

const task = "payments.move_reminders";

const { cancel: limit, cancelRuns: runs } = limits.batch;

/** Where the job continues: after the payment request with this id. */
const position = z.object({ after: z.string() });

/**
 * Moves the reminders of an account's payment requests, or of all accounts of an organization, batch by batch. Those
 * planned since have the new times already. Idempotent.
 */
export async function moveToWakingHour(
  runtime: Runtime,
  ownerId: string,
  signal: AbortSignal,
  saved: Progress,
): Promise<Later | undefined> {
  let { after } = saved === null ? { after: "" } : position.parse(saved);
  for (let run = 0; run < runs && !signal.aborted; run++) {
    const ids = await findPlanned(runtime.db.read, { ownerId, now: runtime.clock.now(), after, limit });
    if (ids.length > 0) await moveBatch(runtime, ownerId, ids);
    const last = ids.at(-1);
    if (last === undefined || ids.length < limit) return undefined;
    after = last;
  }
  return { again: runtime.clock.now(), isAct: true, progress: { after } };
}

const moveBatch = (runtime: Runtime, target: string, ids: readonly string[]): Promise<void> =>
  inBackground(runtime, task, async (ctx) => {
    await lockPayments(ctx.db, ids);
    let moved = 0;
    let organizationId = "";
    for (const id of ids) {
      const row = await readPayment(ctx.db, id);
      if (!row) continue;
      organizationId = row.organizationId;
      moved += await retimeReminders(ctx, row);
    }
    if (moved > 0) ctx.audit({ target, organizationId, detail: { moved_reminders: moved } });
  });

/**
 * Skips the due reminders of up to `limit` payment requests of an organization, also those that wait: they may have gone
 * since a backup that has been restored. Resolves to the number of payment requests.
 */
export async function skipDue(call: WriteContext, organizationId: string, limit: number): Promise<number> {
  const ctx = await inTimeOf(call, organizationId);
  const ids = await findDue(ctx.db, { ownerId: organizationId, now: ctx.now, limit });
  await lockPayments(ctx.db, ids);
  for (const id of ids) {
    const row = await readPayment(ctx.db, id);
    if (row) await skipDueReminders(ctx, row);
  }
  return ids.length;
}
