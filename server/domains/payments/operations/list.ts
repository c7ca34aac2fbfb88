// GET /v1/payments: the payment requests that the caller sees, newest first.

import { rules } from "@/server/access/rules";
import { inTurn } from "@/server/fairness/turns";
import { byChange, pageOfChanges } from "@/server/kit/change-pages";
import { page } from "@/server/kit/fields";
import { lookThrough } from "@/server/kit/look-through";
import { operation } from "@/server/kit/operation";
import { pageOf } from "@/server/kit/page";
import { totalOf } from "@/server/kit/totals";
import { paymentQuery } from "../filters";
import { payment } from "../schema";
import { searchFor } from "../search";
import { changedPayments, sourcesOf } from "../search-store";
import { shownPayments } from "../shown";
import type { PaymentRow } from "../store";

export const listPaymentRequests = operation({
  id: "payments.list",
  summary: "List payment requests",
  description:
    "The payment requests that the caller may see, newest first. Each shows its state at the time of the call.",
  access: rules["payments.read"],
  time: "organization",
  effect: "read",
  rest: { method: "GET", path: "/v1/payments", extension: true },
  input: paymentQuery.extend(byChange),
  output: page(payment),
  errors: { account_not_found: 400, customer_not_found: 400, invalid_cursor: 400, insufficient_permissions: 400 },
  async run({ ctx, input, fail }) {
    const { updated_from } = input;
    const present = (rows: PaymentRow[]) => shownPayments(ctx, rows);
    const search = await searchFor(ctx, input, fail);
    if (updated_from !== undefined) {
      const among = (ids: readonly string[]) => sourcesOf(ctx.db, { ...search, ids });
      return pageOfChanges(ctx, { ...input, updated_from }, fail, {
        list: "payments",
        within: changedPayments,
        among,
        present,
      });
    }
    const sources = await inTurn(ctx.request, () => sourcesOf(ctx.db, search));
    return pageOf(ctx.runtime.keys, input, fail, {
      list: "payments",
      rows: (after, limit) => lookThrough(ctx.request, sources, after, limit),
      total: (filters) => totalOf(ctx, [...filters, search.accounts], sources),
      present,
    });
  },
});
