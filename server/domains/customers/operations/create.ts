// POST /v1/customers: records a customer of an account.
import { rules } from "@/server/access/rules";
import { accountFor } from "@/server/domains/accounts/authorized-account";
import { operation } from "@/server/kit/operation";
import { makeCustomer } from "../make";
import { presentCustomer } from "../present";
import { emptyContent, faultOf, patched } from "../rules";
import { createInput, customer } from "../schema";

export const createCustomer = operation({
  id: "customers.create",
  summary: "Create a customer",
  description:
    "A person or company that the account asks for payments. Payment requests also make customers, for addresses " +
    "and references that are new to the account.",
  access: rules["customers.write"],
  time: "organization",
  effect: "write",
  rest: { method: "POST", path: "/v1/customers", extension: true },
  input: createInput,
  output: customer,
  errors: {
    invalid_request: 400,
    insufficient_permissions: 400,
    account_not_found: 400,
    account_closed: 400,
    duplicate_reference: 400,
  },
  async run({ ctx, input, fail }) {
    const { account_id, ...given } = input;
    const account = await accountFor(ctx, account_id, fail);
    const content = patched(emptyContent, given);
    const fault = faultOf(content);
    if (fault !== null) return fail("invalid_request", fault);
    const { organizationId, id: accountId } = account;
    const row = await makeCustomer(ctx, { organizationId, accountId, content, at: ctx.now });
    if (!row) return fail("duplicate_reference");
    ctx.audit({ target: row.id, detail: { account_id: accountId } });
    return presentCustomer(row, []);
  },
});
