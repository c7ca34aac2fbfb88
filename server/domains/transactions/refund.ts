// The later steps of a refund through a provider: calling the provider, and settling its answer.

import type { RefundResult } from "@/server/domains/providers/provider";
import { askProvider } from "@/server/domains/providers/registry";
import type { ReadContext, WriteContext } from "@/server/kit/context";
import type { TransactionRow } from "./present";
import type { Transaction } from "./schema";
import { settle } from "./settle";
import { shownTransaction } from "./shown";
import { readTransaction } from "./store";

/** The refund to request from its provider. */
export type RefundIntent = { transaction_id: string };

/** Requests the refund. Null if the provider did not answer: the refund stays pending, and a look-up asks again. */
export async function performRefund(call: { ctx: ReadContext; intent: RefundIntent }): Promise<RefundResult | null> {
  const { ctx, intent } = call;
  const refund = await readTransaction(ctx.db, intent.transaction_id);
  const charge = refund && (await readTransaction(ctx.db, refund.parentTransactionId ?? ""));
  if (!refund?.provider || !charge?.providerReference) throw new Error(`${intent.transaction_id} has no charge.`);
  const { id: idempotencyKey, amount, currency, provider, livemode } = refund;
  const request = { idempotencyKey, chargeReference: charge.providerReference, amount, currency };
  return askProvider(ctx.runtime, {
    transactionId: refund.id,
    provider,
    livemode,
    what: "refund",
    ask: (at, signal) => at.refund(request, signal),
  });
}

/** Settles the provider's answer and resolves to the refund. */
export async function finishRefund(call: {
  ctx: WriteContext;
  intent: RefundIntent;
  outcome: RefundResult | null;
}): Promise<Transaction> {
  const { ctx, intent, outcome } = call;
  const row = outcome ? await settle(ctx, intent.transaction_id, outcome) : await known(ctx, intent.transaction_id);
  ctx.audit({ target: row.id, detail: { type: row.type, status: row.status, account_id: row.accountId } });
  return shownTransaction(ctx, row);
}

async function known(ctx: WriteContext, id: string): Promise<TransactionRow> {
  const row = await readTransaction(ctx.db, id);
  if (!row) throw new Error(`No transaction has the id ${id}.`);
  return row;
}
