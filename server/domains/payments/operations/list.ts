// GET /v1/payments: the payment requests that the caller sees, newest first.
import { rules } from "@/server/access/rules";
import { searchedAccounts, visibleAccount } from "@/server/domains/accounts/authorized-account";
import { withSurvivor } from "@/server/domains/customers/survivor";
import { inTurn } from "@/server/fairness/turns";
import { page } from "@/server/kit/fields";
import { countThrough, lookThrough } from "@/server/kit/look-through";
import { operation } from "@/server/kit/operation";
import { pageOf } from "@/server/kit/page";
import { paymentQuery } from "../filters";
import { creditNotesOf } from "../invoices/credit-note-store";
import { presentPayment } from "../present";
import { remindersOf } from "../reminder-store";
import { payment } from "../schema";
import { sourcesOf } from "../search-store";
import type { PaymentRow } from "../store";
import { transactionIdsOf } from "../transaction-ids-store";

export const listPaymentRequests = operation({
  id: "payments.list",
  summary: "List payment requests",
  description:
    "The payment requests that the caller may see, newest first. Each shows its state at the time of the call.",
  access: rules["payments.read"],
  time: "organization",
  effect: "read",
  rest: { method: "GET", path: "/v1/payments", extension: true },
  input: paymentQuery,
  output: page(payment),
  errors: { account_not_found: 400, customer_not_found: 400, invalid_cursor: 400, insufficient_permissions: 400 },
  async run({ ctx, input, fail }) {
    if (input.account_id !== undefined) await visibleAccount(ctx, input.account_id, fail);
    const filters = await withSurvivor(ctx, input, fail);
    const accounts = await searchedAccounts(ctx, input.account_id);
    const search = { organizationId: ctx.scope.organizationId, accounts, filters, now: ctx.now };
    const sources = await inTurn(ctx.request, () => sourcesOf(ctx.db, search));
    return pageOf(ctx.runtime.keys, input, fail, {
      list: "payments",
      rows: (after, limit) => lookThrough(ctx.request, sources, after, limit),
      count: (most) => countThrough(ctx.request, sources, most),
      present: async (rows: PaymentRow[]) => {
        const ids = rows.map((row) => row.id);
        const idsOf = await transactionIdsOf(ctx.db, ids);
        const plannedOf = await remindersOf(ctx.db, ids);
        const invoiced = rows.filter(({ invoiceNumber }) => invoiceNumber !== null);
        const notesOf = await creditNotesOf(
          ctx.db,
          invoiced.map(({ id }) => id),
        );
        return rows.map((row) => {
          const parts = { transactionIds: idsOf(row.id), reminders: plannedOf(row.id), creditNotes: notesOf(row.id) };
          return presentPayment(row, parts, ctx);
        });
      },
    });
  },
});
