// The names of what audit entries are about, for the kinds of records that have a name.
import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { accounts, apiKeys, invitations, organizations, payments, users } from "@/db/tables";
import { type IdPrefix, isId } from "@/server/kit/ids";

interface NamedTarget {
  id: string;
  name: string;
}

type Find = (
  q: Reader,
  organizationId: string,
  ids: readonly string[],
) => Promise<{ id: string; name: string | null }[]>;

const named: { readonly [Prefix in IdPrefix]?: Find } = {
  acct: (q, organizationId, ids) =>
    q
      .select({ id: accounts.id, name: accounts.name })
      .from(accounts)
      .where(and(eq(accounts.organizationId, organizationId), inArray(accounts.id, [...ids]))),
  inv: (q, organizationId, ids) =>
    q
      .select({ id: invitations.id, name: invitations.email })
      .from(invitations)
      .where(and(eq(invitations.organizationId, organizationId), inArray(invitations.id, [...ids]))),
  key: (q, organizationId, ids) =>
    q
      .select({ id: apiKeys.id, name: apiKeys.name })
      .from(apiKeys)
      .where(and(eq(apiKeys.organizationId, organizationId), inArray(apiKeys.id, [...ids]))),
  org: (q, organizationId, ids) =>
    q
      .select({ id: organizations.id, name: organizations.name })
      .from(organizations)
      .where(and(eq(organizations.id, organizationId), inArray(organizations.id, [...ids]))),
  pay: (q, organizationId, ids) =>
    q
      .select({ id: payments.id, name: payments.description })
      .from(payments)
      .where(and(eq(payments.organizationId, organizationId), inArray(payments.id, [...ids]))),
  usr: (q, organizationId, ids) =>
    q
      .select({ id: users.id, name: nameOfUser() })
      .from(users)
      .where(and(eq(users.organizationId, organizationId), inArray(users.id, [...ids]))),
};

/** A removed user has no name. */
const nameOfUser = (): SQL<string | null> =>
  sql<string | null>`case when ${users.status} = 'active' then coalesce(${users.name}, ${users.email}) end`;

/** The names of those of the ids that belong to the organization and have one. */
export async function namesOfTargets(
  q: Reader,
  organizationId: string,
  ids: readonly string[],
): Promise<NamedTarget[]> {
  const names: NamedTarget[] = [];
  for (const [prefix, find] of Object.entries(named)) {
    const own = ids.filter((id) => isId(prefix as IdPrefix, id));
    if (own.length === 0) continue;
    for (const { id, name } of await find(q, organizationId, own)) if (name !== null) names.push({ id, name });
  }
  return names;
}
