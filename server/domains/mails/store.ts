// Rows of mails.
import { and, asc, eq, inArray, isNotNull, lte, ne, sql } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { lock } from "@/db/lock";
import { mails } from "@/db/tables";

export type MailRow = typeof mails.$inferSelect;

export async function insertMail(tx: Tx, row: MailRow): Promise<MailRow> {
  const [inserted] = await tx.insert(mails).values(row).returning();
  if (!inserted) throw new Error("The mail was not inserted.");
  return inserted;
}

export async function readMail(q: Reader, id: string): Promise<MailRow | undefined> {
  const [row] = await q.select().from(mails).where(eq(mails.id, id));
  return row;
}

/** The mail, locked until the transaction ends. */
export async function lockMail(tx: Tx, id: string): Promise<MailRow | undefined> {
  await lock(tx, mails, [id]);
  return readMail(tx, id);
}

type Change = Partial<Pick<MailRow, "status" | "attempts" | "lastError" | "sentAt" | "isAutomatic">> & {
  updatedAt: number;
};

/** Changes a mail that the caller has locked. */
export async function updateMail(tx: Tx, id: string, change: Change): Promise<MailRow> {
  const [row] = await tx.update(mails).set(change).where(eq(mails.id, id)).returning();
  if (!row) throw new Error(`The mail ${id} no longer exists although it was locked.`);
  return row;
}

/**
 * Holds up to `limit` of the organization's queued mails, and says so in each; returns how many. Only for a database
 * that serves nobody: it takes no locks in order.
 */
export async function holdQueued(
  tx: Tx,
  { organizationId, reason, now, limit }: { organizationId: string; reason: string; now: number; limit: number },
): Promise<number> {
  const queued = await tx
    .select({ id: mails.id })
    .from(mails)
    .where(and(eq(mails.organizationId, organizationId), eq(mails.status, "queued")))
    .limit(limit);
  const ids = queued.map(({ id }) => id);
  const held = { status: "held", lastError: reason, updatedAt: now } as const;
  if (ids.length > 0) await tx.update(mails).set(held).where(inArray(mails.id, ids));
  return ids.length;
}

/** Empties up to `limit` mails that were written by `before` (epoch ms), oldest first; returns how many. */
export async function emptyMails(tx: Tx, before: number, limit: number): Promise<number> {
  const old = await tx
    .select({ id: mails.id })
    .from(mails)
    .where(and(isNotNull(mails.text), lte(mails.createdAt, before)))
    .orderBy(asc(mails.createdAt))
    .limit(limit);
  const ids = old.map(({ id }) => id);
  if (ids.length > 0) await tx.update(mails).set({ text: sql`null`, html: sql`null` }).where(inArray(mails.id, ids));
  return ids.length;
}

/**
 * Erases the address and the bodies of up to `limit` mails to a user who is removed, and holds those that are queued;
 * returns how many.
 */
export async function forgetUser(
  tx: Tx,
  { userId, now, limit }: { userId: string; now: number; limit: number },
): Promise<number> {
  const nobody = `removed+${userId}`;
  const rows = await tx
    .select({ id: mails.id })
    .from(mails)
    .where(and(eq(mails.userId, userId), ne(mails.toKey, nobody)))
    .orderBy(asc(mails.id))
    .limit(limit);
  const ids = rows.map(({ id }) => id);
  await lock(tx, mails, ids);
  const isQueued = sql`${mails.status} = 'queued'`;
  // The mail server's answer may name the address.
  const change = {
    ...{ toAddress: nobody, toKey: nobody, text: sql`null`, html: sql`null`, updatedAt: now },
    status: sql`case when ${isQueued} then 'held' else ${mails.status} end`,
    lastError: sql`case when ${isQueued} then 'user_removed' end`,
  };
  if (ids.length > 0) await tx.update(mails).set(change).where(inArray(mails.id, ids));
  return ids.length;
}
