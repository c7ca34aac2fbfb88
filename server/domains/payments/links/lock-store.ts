// Locks payment requests. A use changes the counts of its link, so the link is locked first: it has the smaller id.
import { and, eq, inArray, isNotNull } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { dialect } from "@/db/dialect";
import { lock } from "@/db/lock";
import { prepared, slot } from "@/db/prepared";
import { payments } from "@/db/tables";

const linkOfOne = prepared("payments.link_of", (tx: Tx) =>
  tx
    .select({ linkId: payments.parentPaymentId })
    .from(payments)
    .where(and(eq(payments.id, slot("id")), isNotNull(payments.parentPaymentId))),
);

/** Locks the row, and that of its link, until the transaction ends. */
export async function lockOne(tx: Tx, id: string): Promise<void> {
  if (dialect === "sqlite") return;
  const links = await linkOfOne(tx, { id });
  await lock(tx, payments, [id, ...links.flatMap(({ linkId }) => linkId ?? [])]);
}

/** Locks the rows and those of their links, in id order, until the transaction ends. */
export async function lockMany(tx: Tx, ids: readonly string[]): Promise<void> {
  if (dialect === "sqlite" || ids.length === 0) return;
  const links = await tx
    .selectDistinct({ linkId: payments.parentPaymentId })
    .from(payments)
    .where(and(inArray(payments.id, [...ids]), isNotNull(payments.parentPaymentId)));
  await lock(tx, payments, [...ids, ...links.flatMap(({ linkId }) => linkId ?? [])]);
}

/** The ids of the subscriptions of payment requests that are locked. SQLite locks no rows, and needs none. */
export async function subscriptionsOf(tx: Tx, ids: readonly string[]): Promise<string[]> {
  if (dialect === "sqlite" || ids.length === 0) return [];
  const rows = await tx
    .selectDistinct({ id: payments.subscriptionId })
    .from(payments)
    .where(and(inArray(payments.id, [...ids]), isNotNull(payments.subscriptionId)));
  return rows.flatMap(({ id }) => id ?? []);
}
