// Rows of saved views.
import { and, asc, eq, gt, inArray, or } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import type { UserRole } from "@/db/schema/values";
import { savedViews, users } from "@/db/tables";

export type ViewRow = typeof savedViews.$inferSelect;
type ViewContent = Pick<ViewRow, "name" | "filters">;

/** Names that differ only in case, width or spaces are one. */
const keyOf = (name: string): string => name.normalize("NFKC").toLowerCase().trim().replace(/\s+/gu, " ");

/** The user's views by list and name. */
export const listViews = (q: Reader, userId: string): Promise<ViewRow[]> =>
  q
    .select()
    .from(savedViews)
    .where(eq(savedViews.userId, userId))
    .orderBy(asc(savedViews.list), asc(savedViews.nameKey));

/** The user's view of the list with this name. */
export async function findByName(
  q: Reader,
  { userId, list }: Pick<ViewRow, "userId" | "list">,
  name: string,
): Promise<ViewRow | undefined> {
  const own = and(eq(savedViews.userId, userId), eq(savedViews.list, list));
  const [row] = await q
    .select()
    .from(savedViews)
    .where(and(own, eq(savedViews.nameKey, keyOf(name))));
  return row;
}

/** The user's view with this id. */
export async function findView(q: Reader, userId: string, id: string): Promise<ViewRow | undefined> {
  const own = and(eq(savedViews.id, id), eq(savedViews.userId, userId));
  const [row] = await q.select().from(savedViews).where(own);
  return row;
}

/** Stores a view. The caller has locked the user. */
export async function insertView(tx: Tx, row: Omit<ViewRow, "nameKey">): Promise<void> {
  await tx.insert(savedViews).values({ ...row, nameKey: keyOf(row.name) });
}

/** Changes a view of a user whom the caller has locked. */
export async function changeView(tx: Tx, id: string, { name, filters }: ViewContent): Promise<void> {
  await tx
    .update(savedViews)
    .set({ name, nameKey: keyOf(name), filters })
    .where(eq(savedViews.id, id));
}

/** Removes the user's view; false if there is none. */
export async function deleteView(tx: Tx, userId: string, id: string): Promise<boolean> {
  const own = and(eq(savedViews.id, id), eq(savedViews.userId, userId));
  const rows = await tx.delete(savedViews).where(own).returning({ id: savedViews.id });
  return rows.length > 0;
}

/** Removes all views of the user. */
export async function deleteViewsOf(tx: Tx, userId: string): Promise<void> {
  await tx.delete(savedViews).where(eq(savedViews.userId, userId));
}

/** Up to `limit` views after an id, in id order: those of one user and of all who have one of the roles. */
export async function viewsAfter(
  tx: Tx,
  of: { organizationId: string; roles: readonly UserRole[]; ownerUserId: string | null },
  { after, limit }: { after: string; limit: number },
): Promise<Pick<ViewRow, "id" | "list" | "name" | "filters">[]> {
  const owner = of.ownerUserId === null ? undefined : eq(users.id, of.ownerUserId);
  return tx
    .select({ id: savedViews.id, list: savedViews.list, name: savedViews.name, filters: savedViews.filters })
    .from(savedViews)
    .innerJoin(users, eq(users.id, savedViews.userId))
    .where(
      and(
        eq(users.organizationId, of.organizationId),
        or(inArray(users.role, [...of.roles]), owner),
        gt(savedViews.id, after),
      ),
    )
    .orderBy(asc(savedViews.id))
    .limit(limit);
}

/** Removes these views. */
export async function deleteViews(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.delete(savedViews).where(inArray(savedViews.id, [...ids]));
}
