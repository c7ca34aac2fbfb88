// Presents customers on the wire.
import { iso, isoOrNull } from "@/server/process/clock";
import type { CustomerRecord } from "./schema";
import type { CustomerRow } from "./store";

export const presentCustomer = (row: CustomerRow): CustomerRecord => ({
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
  merged_into: row.mergedInto,
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
  erased_at: isoOrNull(row.erasedAt),
});
