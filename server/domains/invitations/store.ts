// Rows of invitations. Retention removes a row some time after the invitation has expired.
import { and, asc, eq, getTableColumns, gt, inArray, isNotNull, isNull, lte, or, type SQL } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { lock } from "@/db/lock";
import { withinBudget } from "@/db/prepared";
import { invitations } from "@/db/tables";
import type { Scope } from "@/server/kit/context";
import { isId } from "@/server/kit/ids";
import type { Source, Stretch } from "@/server/kit/look-through";
import { after, downTo, newestFirst } from "@/server/kit/page";
import type { InvitationStatus } from "./schema";

export type InvitationRow = typeof invitations.$inferSelect;

export async function insertInvitation(tx: Tx, row: typeof invitations.$inferInsert): Promise<InvitationRow> {
  const [inserted] = await tx.insert(invitations).values(row).returning();
  if (!inserted) throw new Error("The invitation was not inserted.");
  return inserted;
}

/** An invitation by id, of any organization. */
export async function readInvitation(q: Reader, id: string): Promise<InvitationRow | undefined> {
  if (!isId("inv", id)) return undefined;
  const [row] = await q.select().from(invitations).where(eq(invitations.id, id));
  return row;
}

/** An invitation by id, locked until the transaction ends. */
export async function lockInvitation(tx: Tx, id: string): Promise<InvitationRow | undefined> {
  await lock(tx, invitations, [id]);
  return readInvitation(tx, id);
}

/** The invitation of a token with this hash, whichever of its two tokens that is. */
export async function findByHash(q: Reader, hash: string): Promise<InvitationRow | undefined> {
  const [row] = await q
    .select()
    .from(invitations)
    .where(or(eq(invitations.hash, hash), eq(invitations.mailHash, hash)));
  return row;
}

/** Neither accepted nor revoked, and not expired at `now` (epoch ms). */
const isOpen = (now: number): SQL | undefined =>
  and(isNull(invitations.acceptedAt), isNull(invitations.revokedAt), gt(invitations.expiresAt, now));

/** Which invitations to revoke: one, those to an address, those of an inviter, or all. */
export type Revoked = { organizationId: string } & (
  | { id: string }
  | { emailKey: string }
  | { invitedBy: string }
  | object
);

const chosen = (which: Revoked): SQL | undefined => {
  if ("id" in which) return eq(invitations.id, which.id);
  if ("emailKey" in which) return eq(invitations.emailKey, which.emailKey);
  if ("invitedBy" in which) return eq(invitations.invitedBy, which.invitedBy);
  return undefined;
};

/** Revokes those that are open at `now`; returns them. */
export const revokeOpen = (tx: Tx, which: Revoked, reason: string, now: number): Promise<InvitationRow[]> =>
  tx
    .update(invitations)
    .set({ revokedAt: now, revokeReason: reason })
    .where(and(chosen(which), eq(invitations.organizationId, which.organizationId), isOpen(now)))
    .returning();

/** Records who accepted it. The caller has locked it. */
export async function markAccepted(tx: Tx, id: string, userId: string, now: number): Promise<void> {
  await tx.update(invitations).set({ acceptedAt: now, acceptedBy: userId }).where(eq(invitations.id, id));
}

/** How many invitations that the user sent are open at `now` (epoch ms). */
export const countSent = (q: Reader, userId: string, now: number): Promise<number> =>
  q.$count(invitations, and(eq(invitations.invitedBy, userId), isOpen(now)));

/** Removes the invitation that the user accepted: it has the user's name and address. */
export async function removeAcceptedBy(tx: Tx, userId: string): Promise<void> {
  await tx.delete(invitations).where(eq(invitations.acceptedBy, userId));
}

/** Removes up to `limit` invitations that expired, or would have, by `before` (epoch ms); returns whom they were to. */
export async function removeExpired(tx: Tx, before: number, limit: number) {
  const over = await tx
    .select({ id: invitations.id, organizationId: invitations.organizationId, emailKey: invitations.emailKey })
    .from(invitations)
    .where(lte(invitations.expiresAt, before))
    .orderBy(asc(invitations.expiresAt))
    .limit(limit);
  const ids = over.map(({ id }) => id);
  if (ids.length > 0) await tx.delete(invitations).where(inArray(invitations.id, ids));
  return over;
}

const having = (status: InvitationStatus, now: number): SQL | undefined => {
  switch (status) {
    case "open":
      return isOpen(now);
    case "accepted":
      return isNotNull(invitations.acceptedAt);
    case "revoked":
      return and(isNull(invitations.acceptedAt), isNotNull(invitations.revokedAt));
    case "expired":
      return and(isNull(invitations.acceptedAt), isNull(invitations.revokedAt), lte(invitations.expiresAt, now));
  }
};

/** The organization's invitations, in one of the statuses if any are given. */
export function invitationSource(
  q: Reader,
  { organizationId }: Scope,
  statuses: readonly InvitationStatus[] | undefined,
  now: number,
): Source<InvitationRow> {
  const within = ({ after: position, until }: Stretch) =>
    and(
      eq(invitations.organizationId, organizationId),
      statuses && or(...statuses.map((status) => having(status, now))),
      after(invitations, position),
      downTo(invitations, until),
    );
  const { createdAt, id } = invitations;
  return {
    async edge(position, size) {
      const [row] = await q
        .select({ createdAt, id })
        .from(invitations)
        .where(and(eq(invitations.organizationId, organizationId), after(invitations, position)))
        .orderBy(...newestFirst(invitations))
        .limit(1)
        .offset(size - 1);
      return row ?? null;
    },
    rows: (stretch, limit, budget) =>
      withinBudget<InvitationRow[]>(
        q
          .select(getTableColumns(invitations))
          .from(invitations)
          .where(within(stretch))
          .orderBy(...newestFirst(invitations))
          .limit(limit),
        budget,
      ),
    count: (stretch) => q.$count(invitations, within(stretch)),
  };
}
