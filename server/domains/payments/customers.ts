// The customers of payment requests: found or made at creation, or when a draft becomes final.
import { isDeepStrictEqual } from "node:util";
import { LostRace } from "@/db/errors";
import { isBlank } from "@/db/schema/values";
import type { AccountRow } from "@/server/domains/accounts/store";
import { type Addressed, addressedTo, foundOrMade, nobody, snapshotOf } from "@/server/domains/customers/addressed";
import { survivorOf } from "@/server/domains/customers/make";
import { emailKeyOf } from "@/server/domains/customers/rules";
import { keepCustomers, readCustomer } from "@/server/domains/customers/store";
import type { WriteContext } from "@/server/kit/context";
import type { Fail } from "@/server/kit/operation";
import type { NewPayment } from "./input-schema";

/** What a payment request keeps about its customer, as columns. */
export const addressColumns = ({ customerId, customer }: Addressed) => ({
  ...{ customerId, customer, customerEmailKey: emailKeyOf(customer?.email ?? null) },
});

type Payee = Pick<AccountRow, "id" | "organizationId">;

/**
 * The customer of a payment request, and its snapshot. A draft, which is saved while somebody types, makes no customer:
 * see `addresseeOfDraft`.
 */
export async function addresseeOfInput(
  ctx: WriteContext,
  account: Payee,
  { customer: input, draft }: Pick<NewPayment, "customer" | "draft">,
  fail: Fail<"customer_not_found" | "insufficient_permissions">,
): Promise<Addressed> {
  if (!draft || !input || input.customer_id !== undefined) return addressedTo(ctx, account, input, fail);
  const customer = snapshotOf(input);
  return isBlank(customer) ? nobody : { customerId: null, customer };
}

/** The customer of a draft that becomes final: the one that it names, or its survivor; else it is found or made. */
export async function addresseeOfDraft(
  ctx: WriteContext,
  account: Payee,
  { customerId, customer }: Addressed,
  fail: Fail<"customer_not_found">,
): Promise<Addressed> {
  if (customer === null) return nobody;
  const erased = "The personal data of its customer was erased: set `customer` anew, or to null.";
  if (customerId === null)
    return isBlank(customer) ? fail("customer_not_found", erased) : foundOrMade(ctx, account, customer);
  const current = (await keptSurvivor(ctx, customerId)) ?? fail("customer_not_found", erased);
  return { customerId: current, customer };
}

/** The transaction runs again if the customer of the payment request was changed, merged or erased before the lock. */
export function expectSameAddressee(seen: Addressed, locked: Addressed): void {
  const isSame = seen.customerId === locked.customerId && isDeepStrictEqual(seen.customer, locked.customer);
  if (!isSame) throw new LostRace(new Error("The payment request was addressed to somebody else meanwhile."));
}

/** Whom a copy of a payment request, made as a draft, is addressed to: nobody if its customer was erased. */
export async function addresseeOfCopy(ctx: WriteContext, { customerId, customer }: Addressed): Promise<Addressed> {
  if (customer === null || isBlank(customer)) return nobody;
  if (customerId === null) return { customerId, customer };
  const current = await keptSurvivor(ctx, customerId);
  return current === null ? nobody : { customerId: current, customer };
}

/** The id of the customer that this one leads to, which stays until the transaction ends; null if it was erased. */
async function keptSurvivor({ db }: WriteContext, id: string): Promise<string | null> {
  const row = await readCustomer(db, id);
  if (!row || row.erasedAt !== null) return null;
  await keepCustomers(db, [survivorOf(row)]);
  return survivorOf(row);
}
