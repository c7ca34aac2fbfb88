// Rows of mails.
import { and, asc, eq, inArray, isNotNull, isNull, lte, ne, or, type SQL, sql } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { lock, lockWhere } from "@/db/lock";
import { beginsWith } from "@/db/prefix";
import { mails } from "@/db/tables";
import { limits } from "@/server/kit/limits";

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

/** Whether a mail to the user contains the link with this hash or id, so that its holder reads the user's mail. */
export const hasMailedLink = async (q: Reader, userId: string, linkObjectId: string): Promise<boolean> =>
  (await q.$count(mails, and(eq(mails.userId, userId), eq(mails.linkObjectId, linkObjectId)))) > 0;

/** Whether the mail was sent or will be. */
export async function isMailed(q: Reader, id: string | null): Promise<boolean> {
  if (id === null) return false;
  const [row] = await q.select({ status: mails.status }).from(mails).where(eq(mails.id, id));
  return row?.status === "queued" || row?.status === "sent";
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
  await eraseMails(tx, ids, { nobody, reason: "user_removed", now });
  return ids.length;
}

interface Erasure {
  /** What replaces the address. */
  nobody: string;
  /** Why queued mails are held. */
  reason: "user_removed" | "customer_erased" | "readdressed" | "link_expired";
  now: number;
}

async function eraseMails(tx: Tx, ids: readonly string[], { nobody, reason, now }: Erasure): Promise<void> {
  if (ids.length === 0) return;
  await lock(tx, mails, ids);
  const isQueued = sql`${mails.status} = 'queued'`;
  // The mail server's answer may name the address.
  const change = {
    ...{ toAddress: nobody, toKey: nobody, text: sql`null`, html: sql`null`, updatedAt: now },
    // Replies to a mail that a customer asked for go to the customer.
    replyTo: nobody,
    status: sql`case when ${isQueued} then 'held' else ${mails.status} end`,
    lastError: sql`case when ${isQueued} then ${reason} end`,
  };
  await tx
    .update(mails)
    .set(change)
    .where(inArray(mails.id, [...ids]));
}

/** Mails about a customer who is erased: `nobody` replaces the address. */
interface AboutCustomer {
  organizationId: string;
  nobody: string;
  now: number;
}

/** Erases the addresses, subjects and bodies of all mails about payment requests, whomever they went to. */
export async function forgetPayments(tx: Tx, paymentIds: readonly string[], about: AboutCustomer): Promise<void> {
  if (paymentIds.length === 0) return;
  const found = and(inArray(mails.paymentId, [...paymentIds]), ne(mails.toKey, about.nobody));
  while ((await eraseFound(tx, found, about)) === limits.batch.retention);
}

/** Likewise those to one of the folded addresses that are about one of the objects, such as transactions. */
export async function forgetObjects(
  tx: Tx,
  { emailKeys, objectIds, ...about }: AboutCustomer & { emailKeys: readonly string[]; objectIds: readonly string[] },
): Promise<void> {
  if (emailKeys.length === 0 || objectIds.length === 0) return;
  const found = [toAnyOf(about.organizationId, emailKeys), inArray(mails.linkObjectId, [...objectIds])];
  while ((await eraseFound(tx, and(...found), about)) === limits.batch.retention);
}

/** Likewise those to customers about a payment request that has another customer now, except those to `emailKey`. */
export async function forgetFormerCustomer(
  tx: Tx,
  paymentId: string,
  emailKey: string | null,
  now: number,
): Promise<void> {
  const nobody = `readdressed+${paymentId}`;
  const isElsewhere = emailKey === null ? undefined : ne(mails.toKey, emailKey);
  const found = and(eq(mails.paymentId, paymentId), isNull(mails.userId), isElsewhere, ne(mails.toKey, nobody));
  const rows = await tx.select({ id: mails.id }).from(mails).where(found).orderBy(asc(mails.id));
  const ids = rows.map(({ id }) => id);
  await forgetMails(tx, ids, { nobody, now, reason: "readdressed" });
}

/** The index of addresses is in byte order, as prefixes are. */
const toAnyOf = (organizationId: string, emailKeys: readonly string[]): SQL | undefined =>
  and(
    eq(mails.organizationId, organizationId),
    or(...emailKeys.map((key) => and(beginsWith(mails.toKey, key), eq(mails.toKey, key)))),
  );

async function eraseFound(tx: Tx, condition: SQL | undefined, about: AboutCustomer): Promise<number> {
  const { retention: limit } = limits.batch;
  const found = await tx.select({ id: mails.id }).from(mails).where(condition).orderBy(asc(mails.id)).limit(limit);
  const ids = found.map(({ id }) => id);
  await forgetMails(tx, ids, about);
  return ids.length;
}

/** Likewise these mails. */
export async function forgetMails(
  tx: Tx,
  ids: readonly string[],
  { nobody, now, reason = "customer_erased" }: Pick<AboutCustomer, "nobody" | "now"> & Partial<Erasure>,
) {
  await eraseMails(tx, ids, { nobody, reason, now });
  // Its subject names the account and the amount.
  if (ids.length > 0)
    await tx
      .update(mails)
      .set({ subject: "" })
      .where(inArray(mails.id, [...ids]));
}

/** An address that an organization has invited. `emailKey` is case-folded. */
interface Invited {
  organizationId: string;
  emailKey: string;
}

/** The mails of invitations to the address that belong to no user. The index is in byte order, as prefixes are. */
const invitationMails = ({ organizationId, emailKey }: Invited): SQL | undefined =>
  and(
    eq(mails.organizationId, organizationId),
    beginsWith(mails.toKey, emailKey),
    eq(mails.toKey, emailKey),
    eq(mails.kind, "invitation"),
    isNull(mails.userId),
  );

/** The mail of the invitation, which no user has accepted. */
export async function findInvitationMail(
  q: Reader,
  { id, ...invited }: Invited & { id: string },
): Promise<MailRow | undefined> {
  const [row] = await q
    .select()
    .from(mails)
    .where(and(invitationMails(invited), eq(mails.linkObjectId, id)));
  return row;
}

/** Gives the mails of all invitations to the address to the user who accepted one, with whom they are erased. */
export async function giveInvitationMails(tx: Tx, invited: Invited, userId: string): Promise<void> {
  await lockWhere(tx, mails, invitationMails(invited));
  await tx.update(mails).set({ userId }).where(invitationMails(invited));
}

/** Erases the address and the bodies of the mails of an invitation that no user accepted, and holds queued ones. */
export async function forgetInvitation(
  tx: Tx,
  { id, ...invited }: Invited & { id: string },
  now: number,
): Promise<void> {
  const rows = await tx
    .select({ id: mails.id })
    .from(mails)
    .where(and(invitationMails(invited), eq(mails.linkObjectId, id)));
  const ids = rows.map((row) => row.id);
  await eraseMails(tx, ids, { nobody: `removed+${id}`, reason: "link_expired", now });
}
