// Presents customers on the wire.
import type { Reader, Tx } from "@/db/client";
import { iso, isoOrNull } from "@/server/process/clock";
import { creditOfMany } from "./credit-store";
import type { CustomerRecord } from "./schema";
import type { CustomerRow } from "./store";

/** A customer with its credit, by currency. */
export const presentCustomer = (row: CustomerRow, credit: CustomerRecord["credit"]): CustomerRecord => ({
  customer_id: row.id,
  account_id: row.accountId,
  name: row.name,
  email: row.email,
  phone: row.phone,
  address: row.address,
  tax_id: row.taxId,
  reference: row.reference,
  locale: row.locale,
  metadata: row.metadata,
  credit,
  merged_into: row.mergedInto,
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
  erased_at: isoOrNull(row.erasedAt),
});

/** Reads the customers' credit, and presents them in the same order. */
export async function shownCustomers(q: Reader | Tx, rows: readonly CustomerRow[]): Promise<CustomerRecord[]> {
  const creditOf = await creditOfMany(
    q,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => presentCustomer(row, creditOf(row.id)));
}

/** Like {@link shownCustomers}, for one. */
export const shownCustomer = async (q: Reader | Tx, row: CustomerRow): Promise<CustomerRecord> =>
  presentCustomer(row, (await creditOfMany(q, [row.id]))(row.id));
