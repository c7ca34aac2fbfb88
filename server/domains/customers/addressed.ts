// Whom a payment request or a transaction is addressed to: the customer that its input names, or one found or made.
import type { Customer } from "@/db/schema/values";
import { checkMay } from "@/server/access/may";
import type { WriteContext } from "@/server/kit/context";
import type { Fail } from "@/server/kit/operation";
import type { Addressee } from "./addressee";
import { customerFor, findAddressee, survivorOf } from "./make";
import { type CustomerRow, findCustomer, keepCustomers, outOfOrder } from "./store";

/** What a payment request or a transaction keeps about its customer. */
export interface Addressed {
  customerId: string | null;
  customer: Customer | null;
}

export const nobody: Addressed = { customerId: null, customer: null };

/** The account that is paid. */
interface Payee {
  id: string;
  organizationId: string;
}

/**
 * The customer that the input names by its id, else the one that is found or made, and the snapshot. What the input
 * leaves out is taken from the customer only if it is named. Keeps the customer.
 */
export async function addressedTo(
  ctx: WriteContext,
  account: Payee,
  input: Addressee | null | undefined,
  fail: Fail<"customer_not_found" | "insufficient_permissions">,
): Promise<Addressed> {
  if (!input) return nobody;
  const { customer_id: id, name, email, reference, metadata } = input;
  if (id === undefined) return foundOrMade(ctx, account, snapshotOf(input));
  // The snapshot takes from the customer what the input leaves out, so naming one reads it.
  checkMay("customers.read", ctx.actor, fail);
  const row = await findSurvivor(ctx, id);
  if (row?.accountId !== account.id || row.erasedAt !== null) return fail("customer_not_found");
  await keepCustomers(ctx.db, [row.id]);
  const customer = {
    name: name === undefined ? row.name : name,
    email: email === undefined ? row.email : email,
    reference: reference === undefined ? row.reference : reference,
    metadata: metadata === undefined ? row.metadata : (metadata ?? {}),
  };
  return { customerId: row.id, customer };
}

/** What the input says of a customer that it does not name by an id. */
export const snapshotOf = ({ name, email, reference, metadata }: Omit<Addressee, "customer_id">): Customer => ({
  name: name ?? null,
  email: email ?? null,
  reference: reference ?? null,
  metadata: metadata ?? {},
});

/** The customer of the account that the snapshot finds, or a new one. Keeps it. */
export async function foundOrMade(
  ctx: WriteContext,
  { organizationId, id: accountId }: Payee,
  customer: Customer,
): Promise<Addressed> {
  const customerId = await customerFor(ctx, { organizationId, accountId, at: ctx.now, customer });
  await keepCustomers(ctx.db, customerId === null ? [] : [customerId]);
  return { customerId, customer };
}

/** The customer of the account that the snapshot finds; none is made. Keeps it. */
export async function foundOnly(ctx: WriteContext, { id: accountId }: Payee, customer: Customer): Promise<Addressed> {
  const found = await findAddressee(ctx.db, accountId, customer);
  const customerId = found ? survivorOf(found) : null;
  await keepCustomers(ctx.db, customerId === null ? [] : [customerId]);
  return { customerId, customer };
}

/** The id of the customer that the snapshot finds; null without one. Keeps it, like {@link foundOrMadeLate}. */
export async function foundLate(ctx: WriteContext, { id: accountId }: Payee, customer: Customer) {
  const found = await findAddressee(ctx.db, accountId, customer);
  if (!found) return null;
  await keepCustomers(ctx.db, [survivorOf(found)], outOfOrder);
  return survivorOf(found);
}

/**
 * The id of the customer that the snapshot finds, or of a new one, once payment requests are locked. Null if it names
 * nobody. Keeps it, or has the transaction run again while somebody changes it.
 */
export async function foundOrMadeLate(
  ctx: WriteContext,
  { id: accountId, organizationId }: Payee,
  customer: Customer,
): Promise<string | null> {
  const customerId = await customerFor(ctx, { organizationId, accountId, at: ctx.now, customer });
  await keepCustomers(ctx.db, customerId === null ? [] : [customerId], outOfOrder);
  return customerId;
}

/** The customer with this id, or the one that it was merged into. */
async function findSurvivor({ db, scope }: WriteContext, id: string): Promise<CustomerRow | undefined> {
  const named = await findCustomer(db, scope, id);
  return named && named.mergedInto !== null ? findCustomer(db, scope, named.mergedInto) : named;
}
