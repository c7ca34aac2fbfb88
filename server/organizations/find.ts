// Which organization a caller without one means.
import type { Reader } from "@/db/client";
import { findFirstOrganization, findOrganization, type OrganizationRow } from "./store";

/** The organization with this id, or the instance's first one without an id. */
export const organizationToJoin = (q: Reader, id: string | null): Promise<OrganizationRow | undefined> =>
  id === null ? findFirstOrganization(q) : findOrganization(q, id);

/** The organization that someone acts for; undefined only if its row is gone. */
export const organizationOf = (q: Reader, id: string): Promise<OrganizationRow | undefined> => findOrganization(q, id);
