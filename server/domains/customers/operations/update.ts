// PATCH /v1/customers/{customer_id}: the only way to change a customer.
import { rules } from "@/server/access/rules";
import { changedValues } from "@/server/domains/records/changes";
import { operation } from "@/server/kit/operation";
import { shownCustomer } from "../present";
import { type CustomerContent, describeGone, faultOf, isCurrent, patched } from "../rules";
import { customer, updateInput } from "../schema";
import { findByReference, giveUpReference, lockCustomer, updateCustomer } from "../store";

export const updateCustomerFields = operation({
  id: "customers.update",
  summary: "Update a customer",
  description:
    "Absent fields stay unchanged, null clears, objects merge. Payment requests that exist keep what the customer was " +
    "when they were made.",
  access: rules["customers.write"],
  time: "organization",
  effect: "write",
  rest: { method: "PATCH", path: "/v1/customers/{customer_id}", extension: true },
  input: updateInput,
  output: customer,
  errors: { invalid_request: 400, insufficient_permissions: 400, customer_not_found: 400, duplicate_reference: 400 },
  async run({ ctx, input, fail }) {
    const { customer_id, ...given } = input;
    const row = await lockCustomer(ctx.db, ctx.scope, customer_id);
    if (!row) return fail("customer_not_found");
    if (!isCurrent(row)) return fail("customer_not_found", describeGone(row));
    const content = patched(row, given);
    const fields = Object.keys(given).sort();
    const values = changedValues(personal(row), personal(content));
    ctx.audit({ target: row.id, detail: { fields }, changes: { subject: row.id, values } });
    if (fields.length === 0) return shownCustomer(ctx.db, row);

    const fault = faultOf(content);
    if (fault !== null) return fail("invalid_request", fault);
    if (content.reference !== null && content.reference !== row.reference) {
      const holder = await findByReference(ctx.db, row.accountId, content.reference);
      if (holder && holder.mergedInto !== row.id) return fail("duplicate_reference");
      if (holder) await giveUpReference(ctx.db, holder.id);
    }
    const updated = await updateCustomer(ctx.db, row, content, ctx.now);
    const { id: object, accountId } = row;
    ctx.emit({ type: "customer.updated", object, accountId, data: { customer_id: object, fields } });
    return shownCustomer(ctx.db, updated);
  },
});

const personal = ({ name, email, phone, address, taxId, reference }: CustomerContent) => ({
  ...{ name, email, phone, tax_id: taxId, reference },
  address: address && JSON.stringify(address),
});
