// GET /v1/customers/{customer_id}: one customer.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { operation } from "@/server/kit/operation";
import { shownCustomer } from "../present";
import { customer, customerId } from "../schema";
import { findCustomer } from "../store";

export const getCustomer = operation({
  id: "customers.get",
  summary: "Retrieve a customer",
  description: "The customer as it is now; payment requests keep what it was when they were made.",
  access: rules["customers.read"],
  time: "organization",
  effect: "read",
  rest: { method: "GET", path: "/v1/customers/{customer_id}", extension: true },
  input: z.strictObject({ customer_id: customerId }),
  output: customer,
  errors: { customer_not_found: 400, insufficient_permissions: 400 },
  async run({ ctx, input, fail }) {
    const row = await findCustomer(ctx.db, ctx.scope, input.customer_id);
    return row ? shownCustomer(ctx.db, row) : fail("customer_not_found");
  },
});
