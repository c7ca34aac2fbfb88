// Tables of customers.
import { sql } from "drizzle-orm";
import type { Columns } from "../columns";
import { isSampled, pairOf } from "../sample";
import type { identityTables } from "./identity";
import type { Address, Metadata } from "./values";

export function customerTables(k: Columns, { organizations, accounts }: ReturnType<typeof identityTables>) {
  const customers = k.table(
    "customers",
    {
      id: k.text("id").primaryKey(),
      organizationId: k
        .text("organization_id")
        .notNull()
        .references(() => organizations.id),
      accountId: k
        .text("account_id")
        .notNull()
        .references(() => accounts.id),
      name: k.text("name"),
      email: k.text("email"),
      /** The e-mail, case-folded. Several customers of an account may share one. */
      emailKey: k.text("email_key"),
      /**
       * The folded e-mail of a customer that was made for a payment request, until the e-mail changes. It is unique, so
       * two concurrent payment requests to one address make one customer.
       */
      requestEmailKey: k.text("request_email_key"),
      phone: k.text("phone"),
      address: k.json<Address>()("address"),
      taxId: k.text("tax_id"),
      reference: k.text("reference"),
      locale: k.text("locale"),
      metadata: k.json<Metadata>()("metadata").notNull(),
      /**
       * The customer that this one was merged into, never itself merged. Kept with its reference and address, so that
       * payment requests that name them go to that customer. No foreign key, because no row is ever deleted.
       */
      mergedInto: k.text("merged_into"),
      createdAt: k.instant("created_at").notNull(),
      updatedAt: k.instant("updated_at").notNull(),
      changedAt: k.changedAt(),
      /** When the personal data was erased. The row stays for the records that name it. */
      erasedAt: k.instant("erased_at"),
    },
    (t) => [
      k.uniqueIndex("customers_reference").on(t.accountId, t.reference),
      k.uniqueIndex("customers_request_email").on(t.accountId, t.requestEmailKey),
      k.index("customers_changed").on(t.organizationId, t.changedAt, t.id),
      k.index("customers_page").on(t.organizationId, t.createdAt, t.id),
      k.index("customers_sample").on(t.organizationId, pairOf).where(isSampled),
      k.index("customers_account_sample").on(t.accountId, pairOf).where(isSampled),
      k.index("customers_account_page").on(t.accountId, t.createdAt, t.id),
      k.index("customers_email").on(t.organizationId, t.emailKey, t.createdAt, t.id),
      k.index("customers_account_email").on(t.accountId, t.emailKey, t.createdAt, t.id),
      k.index("customers_organization_reference").on(t.organizationId, t.reference, t.createdAt, t.id),
      k.index("customers_erased").on(t.accountId, t.erasedAt).where(sql`${t.erasedAt} is not null`),
      k.index("customers_merged").on(t.mergedInto).where(sql`${t.mergedInto} is not null`),
    ],
  );

  /** One row per case-folded word of a customer's texts, so that a prefix search is an index range. */
  const customerWords = k.table(
    "customer_words",
    {
      customerId: k
        .text("customer_id")
        .notNull()
        .references(() => customers.id),
      organizationId: k.text("organization_id").notNull(),
      word: k.text("word").notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.customerId, t.word] }),
      k.index("customer_words_search").on(t.organizationId, k.bytewise(t.word), t.customerId),
    ],
  );

  return { customers, customerWords };
}
