// GET /v1/customers: the customers that the caller sees, newest first.
import { rules } from "@/server/access/rules";
import { searchedAccounts, visibleAccount } from "@/server/domains/accounts/authorized-account";
import { inTurn } from "@/server/fairness/turns";
import { byChange, pageOfChanges } from "@/server/kit/change-pages";
import { page } from "@/server/kit/fields";
import { lookThrough } from "@/server/kit/look-through";
import { operation } from "@/server/kit/operation";
import { pageOf } from "@/server/kit/page";
import { totalOf } from "@/server/kit/totals";
import { shownCustomers } from "../present";
import { customer, listInput } from "../schema";
import { changedCustomers, customerSources } from "../search-store";
import type { CustomerRow } from "../store";

export const listCustomers = operation({
  id: "customers.list",
  summary: "List customers",
  description: "The customers of the accounts that the caller may see, newest first.",
  access: rules["customers.read"],
  time: "organization",
  effect: "read",
  rest: { method: "GET", path: "/v1/customers", extension: true },
  input: listInput.extend(byChange),
  output: page(customer),
  errors: { account_not_found: 400, invalid_cursor: 400, insufficient_permissions: 400 },
  async run({ ctx, input, fail }) {
    if (input.account_id !== undefined) await visibleAccount(ctx, input.account_id, fail);
    const accounts = await searchedAccounts(ctx, input.account_id);
    const search = { organizationId: ctx.scope.organizationId, accounts, filters: input };
    const present = (rows: CustomerRow[]) => shownCustomers(ctx.db, rows);
    const { updated_from } = input;
    if (updated_from !== undefined) {
      const among = (ids: readonly string[]) => customerSources(ctx.db, { ...search, ids });
      const list = { list: "customers", within: changedCustomers, among, present };
      return pageOfChanges(ctx, { ...input, updated_from }, fail, list);
    }
    const sources = await inTurn(ctx.request, () => customerSources(ctx.db, search));
    return pageOf(ctx.runtime.keys, input, fail, {
      list: "customers",
      rows: (after, limit) => lookThrough(ctx.request, sources, after, limit),
      total: (filters) => totalOf(ctx, [...filters, accounts], sources),
      present,
    });
  },
});
