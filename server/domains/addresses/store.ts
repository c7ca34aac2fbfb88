// Rows of links that verify a user's e-mail address, change it, or undo a change.
import { and, asc, desc, eq, gt, gte, inArray, isNull, lte, ne } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { emailLinks } from "@/db/tables";

export type EmailLinkRow = typeof emailLinks.$inferSelect;
export type EmailLinkKind = EmailLinkRow["kind"];

export async function insertLink(tx: Tx, row: EmailLinkRow): Promise<void> {
  await tx.insert(emailLinks).values(row);
}

/** The link whose token has this hash; undefined also if a newer link replaced it. */
export async function findLink(q: Reader, hash: string): Promise<EmailLinkRow | undefined> {
  const [row] = await q.select().from(emailLinks).where(eq(emailLinks.hash, hash));
  return row;
}

/** The newest unused link of a kind that the user has, expired or not. */
export async function findUnused(q: Reader, userId: string, kind: EmailLinkKind): Promise<EmailLinkRow | undefined> {
  const [row] = await q
    .select()
    .from(emailLinks)
    .where(and(eq(emailLinks.userId, userId), eq(emailLinks.kind, kind), isNull(emailLinks.usedAt)))
    .orderBy(desc(emailLinks.createdAt))
    .limit(1);
  return row;
}

export async function markLinkUsed(tx: Tx, hash: string, now: number): Promise<void> {
  await tx.update(emailLinks).set({ usedAt: now }).where(eq(emailLinks.hash, hash));
}

/** Removes the user's unused links of a kind that were made at `since` (epoch ms) or later, by default all of them. */
export async function deleteUnused(tx: Tx, userId: string, kind: EmailLinkKind, since = 0): Promise<void> {
  await tx
    .delete(emailLinks)
    .where(
      and(
        eq(emailLinks.userId, userId),
        eq(emailLinks.kind, kind),
        isNull(emailLinks.usedAt),
        gte(emailLinks.createdAt, since),
      ),
    );
}

/** Removes the unused links of all users that verify an address or change it. */
export async function deleteOffers(tx: Tx): Promise<void> {
  await tx.delete(emailLinks).where(and(inArray(emailLinks.kind, ["verify", "change"]), isNull(emailLinks.usedAt)));
}

export async function deleteLinksOf(tx: Tx, userId: string): Promise<void> {
  await tx.delete(emailLinks).where(eq(emailLinks.userId, userId));
}

/** Whether a user other than `userId` can still get this address back by undoing a change. */
export async function isReserved(
  q: Reader,
  { emailKey, userId, now }: { emailKey: string; userId: string; now: number },
): Promise<boolean> {
  const [row] = await q
    .select({ hash: emailLinks.hash })
    .from(emailLinks)
    .where(
      and(
        eq(emailLinks.emailKey, emailKey),
        eq(emailLinks.kind, "undo"),
        ne(emailLinks.userId, userId),
        isNull(emailLinks.usedAt),
        gt(emailLinks.expiresAt, now),
      ),
    )
    .limit(1);
  return row !== undefined;
}

/** Removes up to `limit` links that expired by `before` (epoch ms); returns how many. */
export async function removeExpiredLinks(tx: Tx, before: number, limit: number): Promise<number> {
  const over = await tx
    .select({ hash: emailLinks.hash })
    .from(emailLinks)
    .where(lte(emailLinks.expiresAt, before))
    .orderBy(asc(emailLinks.expiresAt))
    .limit(limit);
  const hashes = over.map(({ hash }) => hash);
  if (hashes.length > 0) await tx.delete(emailLinks).where(inArray(emailLinks.hash, hashes));
  return hashes.length;
}
