// POST /v1/transactions: a payment, credit, refund, transfer or adjustment.
import { checkMay } from "@/server/access/may";
import { rules } from "@/server/access/rules";
import { organizationById } from "@/server/domains/organizations/organization";
import { saga } from "@/server/kit/operation";
import type { TransactionRow } from "../present";
import { finishRefund, performRefund, type RefundIntent } from "../refund";
import { newTransaction, type Transaction, transaction } from "../schema";
import { shownTransaction } from "../shown";
import { createAdjustment } from "../types/adjustment";
import { type AnyCall, createErrors } from "../types/call";
import { createCredit } from "../types/credit";
import { createPayment } from "../types/payment";
import { createRefund } from "../types/refund";
import { createTransfer } from "../types/transfer";

export const createTransaction = saga({
  id: "transactions.create",
  summary: "Create a transaction",
  description:
    "Money moves at once and is posted to the ledger before the response is sent. Only a refund of a payment that a " +
    "provider charged can stay `pending` until the provider confirms it.",
  access: rules["transactions.create"],
  time: "organization",
  rest: { method: "POST", path: "/v1/transactions" },
  input: newTransaction,
  output: transaction,
  errors: createErrors,
  begin: beginTransaction,
  perform: performRefund,
  finish: finishRefund,
});

/** Creates the transaction. A refund through a provider continues as an intent. */
export async function beginTransaction({
  ctx,
  input,
  fail,
  ...rest
}: Omit<AnyCall, "organization">): Promise<{ intent: RefundIntent } | { answer: Transaction }> {
  const row = await create({ ctx, input, fail, ...rest });
  ctx.audit({ target: row.id, detail: { type: row.type, status: row.status, account_id: row.accountId } });
  return row.status === "pending" && row.provider !== null
    ? { intent: { transaction_id: row.id } }
    : { answer: await shownTransaction(ctx, row) };
}

async function create({ ctx, input, fail, ...rest }: Omit<AnyCall, "organization">): Promise<TransactionRow> {
  const { mode, membersRecordPayments } = await organizationById(ctx.db, ctx.scope.organizationId);
  const organization = { isLive: mode === "live", membersRecordPayments };
  checkMay(`transactions.create.${input.type}`, ctx.actor, fail, { organization });
  const call = { ctx, fail, organization, ...rest };
  switch (input.type) {
    case "payment":
      return createPayment({ ...call, input });
    case "credit":
      return createCredit({ ...call, input });
    case "refund":
      return createRefund({ ...call, input });
    case "transfer":
      return createTransfer({ ...call, input });
    case "adjustment":
      return createAdjustment({ ...call, input });
  }
}
