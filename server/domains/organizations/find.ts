// Which organization a caller means: by id, or the first one.
import type { Reader } from "@/db/client";
import { findFirstOrganization, findOrganization, type OrganizationRow } from "./store";

/** The instance's first organization, which signing up leads to; undefined while there is none. */
export const firstOrganization = (q: Reader): Promise<OrganizationRow | undefined> => findFirstOrganization(q);

/** The organization that someone acts for; undefined only if its row is gone. */
export const organizationOf = (q: Reader, id: string): Promise<OrganizationRow | undefined> => findOrganization(q, id);

/** An organization that is known to exist; throws if it does not. */
export async function organizationById(q: Reader, id: string): Promise<OrganizationRow> {
  const row = await findOrganization(q, id);
  if (!row) throw new Error(`The organization ${id} is gone.`);
  return row;
}
