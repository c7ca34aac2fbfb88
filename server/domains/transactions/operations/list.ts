// GET /v1/transactions: the transactions that the caller sees, newest first, with any combination of filters.

import { rules } from "@/server/access/rules";
import { inTurn } from "@/server/fairness/turns";
import { byChange, pageOfChanges } from "@/server/kit/change-pages";
import * as fields from "@/server/kit/fields";
import { lookThrough } from "@/server/kit/look-through";
import { operation } from "@/server/kit/operation";
import { pageOf } from "@/server/kit/page";
import { totalOf } from "@/server/kit/totals";
import type { TransactionRow } from "../present";
import { transaction, transactionQuery } from "../schema";
import { searchOf, sourcesOf } from "../search";
import { changedTransactions } from "../search-store";
import { shownTransactions } from "../shown";

export const listTransactions = operation({
  id: "transactions.list",
  summary: "List transactions",
  description: "A transaction is in the list as soon as the response to its creation has been sent.",
  access: rules["transactions.read"],
  time: "organization",
  effect: "read",
  rest: { method: "GET", path: "/v1/transactions" },
  input: transactionQuery.extend(byChange),
  output: fields.page(transaction),
  errors: { account_not_found: 400, customer_not_found: 400, invalid_cursor: 400 },
  async run({ ctx, input, fail }) {
    const { search, perspective } = await searchOf(ctx, input, fail);
    const present = (rows: TransactionRow[]) => shownTransactions(ctx, rows, perspective);
    const { updated_from } = input;
    if (updated_from !== undefined) {
      const list = { list: "transactions", within: changedTransactions, present };
      const among = (ids: readonly string[]) => sourcesOf(ctx.db, { ...search, ids });
      return pageOfChanges(ctx, { ...input, updated_from }, fail, { ...list, among });
    }
    const sources = await inTurn(ctx.request, () => sourcesOf(ctx.db, search));
    return pageOf(ctx.runtime.keys, input, fail, {
      list: "transactions",
      rows: (after, limit) => lookThrough(ctx.request, sources, after, limit),
      total: (filters) => totalOf(ctx, [...filters, search.accounts], sources),
      present,
    });
  },
});
