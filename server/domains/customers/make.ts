// Makes a customer within a transaction, and finds or makes that of a payment request or a transaction.

import type { Reader } from "@/db/client";
import { LostRace } from "@/db/errors";
import type { Customer } from "@/db/schema/values";
import type { WriteContext } from "@/server/kit/context";
import { newId } from "@/server/kit/ids";
import { type CustomerContent, emailKeyOf, emptyContent } from "./rules";
import { type CustomerRow, findByEmail, findByReference, insertCustomer } from "./store";

type Context = Pick<WriteContext, "db" | "emit">;

interface Making {
  organizationId: string;
  accountId: string;
  content: CustomerContent;
  requestEmailKey?: string | null;
  /** Epoch milliseconds. */
  at: number;
}

/** Inserts the customer and emits its event; undefined if the account has one that it would repeat. */
export async function makeCustomer(
  ctx: Context,
  { organizationId, accountId, content, requestEmailKey = null, at }: Making,
): Promise<CustomerRow | undefined> {
  const row = await insertCustomer(ctx.db, {
    ...content,
    ...{ id: newId("cus", at), organizationId, accountId, requestEmailKey, createdAt: at, updatedAt: at },
  });
  if (!row) return undefined;
  ctx.emit({
    type: "customer.created",
    object: row.id,
    accountId,
    organizationId,
    data: { customer_id: row.id, account_id: accountId },
    first: true,
  });
  return row;
}

type Addressee = Pick<Making, "organizationId" | "accountId" | "at"> & { customer: Customer };

/**
 * The id of the customer that a payment request or a transaction is for: the account's with the reference, else its
 * oldest with the e-mail address, else a new one. A merged one leads to its survivor. Null if nothing but metadata is
 * known. Never changes an existing customer. The caller keeps it with `keepCustomers` before it names it.
 */
export async function customerFor(ctx: Context, addressee: Addressee): Promise<string | null> {
  const { organizationId, accountId, at, customer } = addressee;
  const { name, email, reference, metadata } = customer;
  if (name === null && email === null && reference === null) return null;
  const requestEmailKey = emailKeyOf(email);
  const found = await findAddressee(ctx.db, accountId, customer);
  if (found) return survivorOf(found);
  const content = { ...emptyContent, name, email, reference, metadata };
  const made = await makeCustomer(ctx, { organizationId, accountId, content, requestEmailKey, at });
  if (made) return made.id;
  // Another transaction has made it since, and has committed: the insertion waited for that.
  const other = await findAddressee(ctx.db, accountId, customer);
  if (!other) throw new LostRace(new Error("The customer changed while it was looked for."));
  return survivorOf(other);
}

/** The id of the customer that the row leads to: its own, unless it was merged. */
export const survivorOf = ({ id, mergedInto }: Pick<CustomerRow, "id" | "mergedInto">): string => mergedInto ?? id;

/** The customer of the account with the reference, else its oldest with the e-mail address. */
export async function findAddressee(
  q: Reader,
  accountId: string,
  { reference, email }: Pick<Customer, "reference" | "email">,
): Promise<CustomerRow | undefined> {
  const found = reference === null ? undefined : await findByReference(q, accountId, reference);
  const emailKey = emailKeyOf(email);
  return found ?? (emailKey === null ? undefined : await findByEmail(q, accountId, emailKey));
}
