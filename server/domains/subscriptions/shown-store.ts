// What the dashboard shows beside subscriptions: what they are for, who pays, and the state of their payment requests.
import { and, desc, eq, inArray } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { accounts, customers, payments, subscriptionCycles, subscriptions } from "@/db/tables";
import { isInScope } from "@/server/domains/accounts/rules";
import type { Scope } from "@/server/kit/context";

/** What the subscriptions are for and who pays, of those that the scope sees. */
export async function titlesOf(q: Reader, scope: Scope, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const rows = await q
    .select({
      id: subscriptions.id,
      accountId: subscriptions.accountId,
      ownerUserId: accounts.ownerUserId,
      description: subscriptions.description,
      customerName: customers.name,
      customerEmail: customers.email,
    })
    .from(subscriptions)
    .innerJoin(accounts, eq(accounts.id, subscriptions.accountId))
    .leftJoin(customers, eq(customers.id, subscriptions.customerId))
    .where(and(inArray(subscriptions.id, [...ids]), eq(subscriptions.organizationId, scope.organizationId)));
  return rows.filter(({ accountId, ownerUserId }) => isInScope(scope, { id: accountId, ownerUserId }));
}

/** The payment requests of up to `limit` cycles of a subscription, the newest first. */
export async function requestsOf(q: Reader, subscriptionId: string, limit: number) {
  const rows = await q
    .select({ payment: payments })
    .from(subscriptionCycles)
    .innerJoin(payments, eq(payments.id, subscriptionCycles.paymentId))
    .where(eq(subscriptionCycles.subscriptionId, subscriptionId))
    .orderBy(desc(subscriptionCycles.cycle))
    .limit(limit);
  return rows.map(({ payment }) => payment);
}
