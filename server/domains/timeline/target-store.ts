// The names of the targets of audit entries, for the kinds of records that have a name.
import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Reader } from "@/db/client";
import { accounts, apiKeys, customers, invitations, organizations, payments, users } from "@/db/tables";
import { type IdPrefix, isId } from "@/server/kit/ids";

interface NamedTarget {
  id: string;
  name: string;
}

interface Kind {
  table: PgTable;
  id: PgColumn;
  organizationId: PgColumn;
  name: PgColumn | SQL<string | null>;
}

const kindOf = <Table extends PgTable & Record<"id" | "organizationId", PgColumn>>(
  table: Table,
  name: Kind["name"],
): Kind => ({ table, id: table.id, organizationId: table.organizationId, name });

/** A removed user has no name. */
const nameOfUser = sql<
  string | null
>`case when ${users.status} = 'active' then coalesce(${users.name}, ${users.email}) end`;

const named: { readonly [Prefix in IdPrefix]?: Kind } = {
  acct: kindOf(accounts, accounts.name),
  cus: kindOf(customers, sql<string | null>`coalesce(${customers.name}, ${customers.email}, ${customers.reference})`),
  inv: kindOf(invitations, invitations.email),
  key: kindOf(apiKeys, apiKeys.name),
  org: { table: organizations, id: organizations.id, organizationId: organizations.id, name: organizations.name },
  pay: kindOf(payments, payments.description),
  usr: kindOf(users, nameOfUser),
};

/** The names of those of the ids that belong to the organization and have one. */
export async function namesOfTargets(
  q: Reader,
  organizationId: string,
  ids: readonly string[],
): Promise<NamedTarget[]> {
  const names: NamedTarget[] = [];
  for (const [prefix, kind] of Object.entries(named)) {
    const own = ids.filter((id) => isId(prefix as IdPrefix, id));
    if (own.length === 0) continue;
    const rows = await q
      .select({ id: sql<string>`${kind.id}`, name: sql<string | null>`${kind.name}` })
      .from(kind.table)
      .where(and(eq(kind.organizationId, organizationId), inArray(kind.id, own)));
    for (const { id, name } of rows) if (name !== null) names.push({ id, name });
  }
  return names;
}
