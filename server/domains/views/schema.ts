// The wire schemas of saved views, and the filters that each list takes.
import * as z from "zod";
import { type FilteredList, filteredLists, listNames } from "@/db/schema/values";
import type { RuleName } from "@/server/access/rules";
import { listInput as accountQuery } from "@/server/domains/accounts/schema";
import { listInput as customerQuery } from "@/server/domains/customers/schema";
import { listInput as invitationQuery } from "@/server/domains/invitations/schema";
import { mailQuery } from "@/server/domains/outbox/operations/list";
import { paymentQuery } from "@/server/domains/payments/filters";
import { listInput as subscriptionQuery } from "@/server/domains/subscriptions/schema";
import { auditListInput } from "@/server/domains/timeline/schema";
import { transactionQuery } from "@/server/domains/transactions/schema";
import { listInput as userQuery } from "@/server/domains/users/schema";
import { id, idOut, listParameters, text } from "@/server/kit/fields";
import { describeIssues, parsePlainly } from "@/server/kit/issues";
import { limits } from "@/server/kit/limits";
import type { Fail } from "@/server/kit/operation";
import { queryFieldsOf } from "@/server/kit/query-fields";
import { readQuery } from "@/server/kit/query-input";
import type { ViewRow } from "./store";

/** Filters as a query. */
const writtenIn = (given: Readonly<Record<string, string>>): string =>
  Object.entries(given)
    .map((parts) => parts.map((part) => encodeURIComponent(part.toWellFormed())).join("="))
    .join("&");

export const viewId = id("vw", "The saved view.");
export const viewName = text(limits.savedViews.name);
const wellFormed = z.string().refine((value) => value.isWellFormed(), "must be well-formed Unicode");

export const filters = z
  .record(wellFormed, wellFormed)
  .refine((given) => Object.keys(given).length > 0, "must have at least one")
  .refine((given) => writtenIn(given).length <= limits.savedViews.filters, "are too long")
  .meta({ description: "The filters of the list, as its query has them.", example: { status: "paid" } });

export const savedView = z
  .strictObject({
    view_id: idOut("vw", "The saved view."),
    list: z.enum(filteredLists),
    name: z.string(),
    filters: z.record(z.string(), z.string()),
  })
  .meta({ id: "SavedView" });

export const displayInput = z.strictObject({
  list: z.enum(listNames),
  columns: z
    .array(
      z
        .string()
        .regex(/^[A-Za-z_]+$/)
        .max(limits.listColumns.name),
    )
    .min(1)
    .max(limits.listColumns.perList)
    .meta({ description: "The columns that the list shows.", example: ["created", "amount"] }),
  rows: z.int().min(1).max(limits.page.max).meta({ description: "Rows per page.", example: limits.page.default }),
});

/** The row of the access table that admits to each list. */
export const listRules: Readonly<Record<FilteredList, RuleName>> = {
  payment_requests: "payments.read",
  invoices: "payments.read",
  subscriptions: "subscriptions.read",
  transactions: "transactions.read",
  customers: "customers.read",
  accounts: "accounts.read",
  users: "users.list",
  invitations: "invitations.read",
  mails: "mails.read",
  audit_log: "audit.read",
};

/** The query of each list that has filters. */
const queries: Readonly<Record<FilteredList, z.ZodType>> = {
  payment_requests: paymentQuery,
  invoices: paymentQuery.omit({ type: true }),
  subscriptions: subscriptionQuery,
  transactions: transactionQuery,
  customers: customerQuery,
  accounts: accountQuery,
  users: userQuery,
  invitations: invitationQuery,
  mails: mailQuery,
  audit_log: auditListInput,
};

/** Refuses filters that the list does not take, as the list itself would. */
export function checkFilters(
  list: FilteredList,
  given: Readonly<Record<string, string>>,
  fail: Fail<"invalid_request">,
): void {
  const query = queries[list];
  const other = Object.keys(given).find((name) => Object.hasOwn(listParameters, name));
  if (other !== undefined) fail("invalid_request", `filters.${other}: is not a filter`);
  const parsed = parsePlainly(query, readQuery(writtenIn(given), queryFieldsOf(query)));
  if (!parsed.success) fail("invalid_request", describeIssues(parsed.error.issues));
}

export const presentView = ({
  id: view_id,
  list,
  name,
  filters,
}: Omit<ViewRow, "nameKey">): z.input<typeof savedView> => ({
  view_id,
  ...{ list, name, filters },
});
