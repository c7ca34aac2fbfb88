// No caller sets what only the product sets: inputs keep no unknown field at any depth, and have none for its columns.
import { getTableColumns, is, Table } from "drizzle-orm";
import { expect, it } from "vitest";
import type * as z from "zod";
import * as tables from "@/db/tables";
import type { Operation } from "@/server/kit/operation";
import { operations } from "./operations";

type Schema = z.core.$ZodType;

const all = Object.values(operations as Record<string, Record<string, Operation>>).flatMap((verbs) =>
  Object.values(verbs),
);
const writes = all.filter(({ steps }) => steps.effect !== "read");

/** Columns that a field of an input may be named like, because callers decide about them. */
const columnsForCallers = new Set(
  (
    "account_id account_type address allow_partial amount cancel_url capture_method client_version currency custom_amount " +
    "customer customer_id cycles default_currency description destination_account_id device_id direction draft due_at " +
    "effective_at email event expires_at filters image installments interval interval_count invoice line_items list locale mail_id metadata " +
    "minimum_amount name parent_transaction_id payment_id phone preferences reason reference resume_at session_id " +
    "subscription subscription_id success_url tax_id timezone transaction_id type usage_limit user_id"
  ).split(" "),
);

/** Fields of single inputs that decide about permissions. Their operations check them. */
const checkedFields = [
  ...["accounts.create: owner_user_id", "accounts.update: owner_user_id"],
  ...["apiKeys.create: ip_allow", "apiKeys.create: scopes"],
  ...["factors.addPasskey: credential_id", "factors.addPasskey: transports"],
  "invitations.create: role",
  ...[
    "organizations.update: after_lost_dispute",
    "organizations.update: catch_up",
    "organizations.update: invoice_retention_years",
    "organizations.update: members_record_payments",
    "organizations.update: require_mfa",
    "organizations.update: step_up_amounts",
  ],
  ...["sessions.signInWithPasskey: credential_id", "sessions.signInWithPasskey: signature"],
  "subscriptions.resume: cancel_at_period_end",
  ...["users.create: organization_id", "users.create: role", "users.update: role"],
];

/** The object schemas within a schema, at any depth, with their paths. */
function objectsIn(schema: Schema, path: string): { path: string; object: z.core.$ZodObject }[] {
  const { def } = schema._zod;
  const inner = Object.entries(def)
    .filter(([name]) => ["innerType", "in", "out", "left", "right", "element", "options"].includes(name))
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]) as Schema[])
    .flatMap((each) => objectsIn(each, path));
  if (def.type !== "object") return inner;
  const object = schema as z.core.$ZodObject;
  const fields = Object.entries(object._zod.def.shape).flatMap(([name, field]) => objectsIn(field, `${path}.${name}`));
  return [{ path, object }, ...fields];
}

it("no input of a write keeps a field that it does not name", () => {
  const open = writes.flatMap(({ id, input }) =>
    objectsIn(input, id)
      .filter(({ object }) => !["never", undefined].includes(object._zod.def.catchall?._zod.def.type))
      .map(({ path }) => path),
  );
  expect(writes.length).toBeGreaterThan(20);
  expect(open).toEqual([]);
});

it("no input names a column that callers do not decide about", () => {
  const columns = new Set(
    Object.values(tables)
      .filter((table) => is(table, Table))
      .flatMap((table) => Object.values(getTableColumns(table)).map(({ name }) => name)),
  );
  const named = writes.flatMap(({ id, input }) =>
    objectsIn(input, id).flatMap(({ path, object }) =>
      Object.keys(object._zod.def.shape)
        .filter((name) => columns.has(name) && !columnsForCallers.has(name))
        .map((name) => `${path}: ${name}`),
    ),
  );
  expect(columns.size).toBeGreaterThan(100);
  expect(named.sort()).toEqual(checkedFields);
});
