// Drops the bodies of old mails, whose rows stay: whom a mail went to, when and what about. Erases a removed user.

import { schedule } from "@/server/domains/jobs/queue";
import type { WriteContext } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { emptyMails, forgetUser } from "./store";

/** Empties up to `limit` mails whose bodies are past their retention; returns how many. */
export const dropOldBodies = ({ clock, db }: Runtime, limit: number): Promise<number> =>
  db.write((tx) => emptyMails(tx, clock.now() - limits.kept.mailBodyMs, limit));

const batch = limits.batch.retention;

/** Erases a removed user from the mails to them, and holds queued ones. A job continues where there are very many. */
export async function forgetRecipient(ctx: WriteContext, organizationId: string, userId: string): Promise<void> {
  const count = await forgetUser(ctx.db, { userId, now: ctx.now, limit: batch });
  if (count < batch) return;
  await schedule(ctx, { kind: "mails.forget_user", organizationId, objectId: userId, afterMs: 0 });
}

/** The job that erases the rest. */
export async function forgetRest({ clock, db }: Runtime, userId: string): Promise<undefined> {
  while ((await db.write((tx) => forgetUser(tx, { userId, now: clock.now(), limit: batch }))) === batch);
}
