// Finds an organization, by id or the first one, and locks it.
import type { Reader, Tx } from "@/db/client";
import { findFirstOrganization, findOrganization, lockOrganizationRow, type OrganizationRow } from "./store";

/** The instance's first organization, which sign-ups join; undefined if there is none. */
export const firstOrganization = (q: Reader): Promise<OrganizationRow | undefined> => findFirstOrganization(q);

/** An organization that must exist; throws otherwise. */
export async function organizationById(q: Reader, id: string): Promise<OrganizationRow> {
  const row = await findOrganization(q, id);
  if (!row) throw new Error(`The organization ${id} does not exist.`);
  return row;
}

/** Locks the organization until the transaction ends. Others may insert rows that refer to it meanwhile. */
export const lockOrganization = (tx: Tx, id: string): Promise<void> => lockOrganizationRow(tx, id);

/** Whether the organization moves real money. */
export const isLive = async (q: Reader, id: string): Promise<boolean> =>
  (await organizationById(q, id)).mode === "live";
