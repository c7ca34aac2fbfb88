// POST /v1/customers/{customer_id}/merge: merges a customer into another of the same account.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { shownCustomer } from "@/server/domains/customers/present";
import { areMergeable } from "@/server/domains/customers/rules";
import { customer, customerId } from "@/server/domains/customers/schema";
import { findCustomer, lockCustomers, markMerged } from "@/server/domains/customers/store";
import * as fields from "@/server/kit/fields";
import { operation } from "@/server/kit/operation";
import { moveHoldings } from "../merged";

export const mergeCustomer = operation({
  id: "customers.merge",
  summary: "Merge a customer into another",
  description:
    "For a person or company that the account has twice. The payment requests and transactions of the first customer " +
    "become those of the second, with `customer` as it was when each was made, and so does its credit. New ones that " +
    "name the first, its reference or its e-mail address belong to the second, whose own fields do not change. The " +
    "first stays readable, with `merged_into`, and is no longer listed. This cannot be undone. If there are very many " +
    "payment requests or transactions, the last move moments later.",
  access: rules["customers.erase"],
  time: "organization",
  effect: "write",
  rest: { method: "POST", path: "/v1/customers/{customer_id}/merge", extension: true },
  input: z
    .strictObject({
      customer_id: customerId,
      into_customer_id: fields.id("cus", "The customer that stays."),
    })
    .meta({ id: "MergeCustomer" }),
  output: customer,
  errors: {
    invalid_request: 400,
    insufficient_permissions: 400,
    customer_not_found: 400,
    customer_not_mergeable: 400,
    balance_limit_exceeded: 400,
  },
  async run({ ctx, input: { customer_id, into_customer_id }, fail }) {
    const { db, scope, now } = ctx;
    if (!(await findCustomer(db, scope, customer_id))) return fail("customer_not_found");
    if (!(await findCustomer(db, scope, into_customer_id))) {
      return fail("customer_not_found", "into_customer_id: no customer has this identifier");
    }
    const [row, into] = await lockCustomers(db, scope, [customer_id, into_customer_id]);
    if (!row || !into) return fail("customer_not_found");
    if (!areMergeable(row, into)) return fail("customer_not_mergeable");
    const merged = await markMerged(db, { row, into, now });
    const moved = (await moveHoldings(ctx, merged)) ?? fail("balance_limit_exceeded");
    const { id: object, accountId } = row;
    ctx.audit({ target: object, detail: { into_customer_id: into.id, ...moved } });
    const data = { customer_id: object, account_id: accountId, into_customer_id: into.id };
    ctx.emit({ type: "customer.merged", object, accountId, data });
    return shownCustomer(db, merged);
  },
});
