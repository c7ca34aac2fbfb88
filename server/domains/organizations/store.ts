// Queries of organizations, and of the nonce for setting up the first one.
import { asc, eq } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { lock } from "@/db/lock";
import { preparedOne, slot } from "@/db/prepared";
import { nonces, organizations } from "@/db/tables";
import { isId } from "@/server/kit/ids";

export type OrganizationRow = typeof organizations.$inferSelect;

export async function insertOrganization(tx: Tx, row: typeof organizations.$inferInsert): Promise<void> {
  await tx.insert(organizations).values(row);
}

/** Locks the organization until the transaction ends. */
export const lockOrganizationRow = (tx: Tx, id: string): Promise<void> => lock(tx, organizations, [id]);

const byId = preparedOne("organizations.by_id", (q: Reader) =>
  q
    .select()
    .from(organizations)
    .where(eq(organizations.id, slot("id"))),
);

/** The organization with this id; undefined for an unknown or malformed id. */
export const findOrganization = async (q: Reader, id: string): Promise<OrganizationRow | undefined> =>
  isId("org", id) ? byId(q, { id }) : undefined;

/** Changes an organization that the caller has locked. */
export async function updateOrganization(
  tx: Tx,
  id: string,
  changes: Partial<Omit<OrganizationRow, "id" | "mode" | "createdAt">>,
): Promise<OrganizationRow> {
  const [updated] = await tx.update(organizations).set(changes).where(eq(organizations.id, id)).returning();
  if (!updated) throw new Error(`The organization ${id} does not exist.`);
  return updated;
}

/** The instance's first organization, which anonymous sign-ups join. */
export async function findFirstOrganization(q: Reader): Promise<OrganizationRow | undefined> {
  const [row] = await q
    .select()
    .from(organizations)
    .orderBy(asc(organizations.createdAt), asc(organizations.id))
    .limit(1);
  return row;
}

/** Whether the database has several organizations. */
export async function hasSeveral(q: Reader): Promise<boolean> {
  const some = await q.select({ id: organizations.id }).from(organizations).limit(2);
  return some.length > 1;
}

/** All organizations, oldest first. */
export const listOrganizations = (q: Reader): Promise<OrganizationRow[]> =>
  q.select().from(organizations).orderBy(asc(organizations.createdAt), asc(organizations.id));

/** A random value of this database; undefined if it does not exist. */
export async function findNonce(q: Reader, name: string): Promise<string | undefined> {
  const [row] = await q.select().from(nonces).where(eq(nonces.name, name));
  return row?.value;
}

/** Stores a random value under a new name. */
export async function insertNonce(tx: Tx, name: string, value: string): Promise<void> {
  await tx.insert(nonces).values({ name, value }).onConflictDoNothing();
}
