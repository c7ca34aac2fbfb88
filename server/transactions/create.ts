// POST /v1/transactions: a payment, credit, refund, transfer or adjustment.
import { rules } from "@/server/access/rules";
import type { WriteContext } from "@/server/kit/context";
import { saga } from "@/server/kit/operation";
import type { RefundResult } from "@/server/payments/providers/provider";
import { inTime, providerFor } from "@/server/payments/providers/registry";
import { fromAnywhere, present, type TransactionRow } from "./present";
import { newTransaction, type Transaction, transaction } from "./schema";
import { settle } from "./settle";
import { readOrganization, readTransaction } from "./store";
import { createAdjustment } from "./types/adjustment";
import { type AnyCall, createErrors } from "./types/call";
import { createCredit } from "./types/credit";
import { createPayment } from "./types/payment";
import { createRefund } from "./types/refund";
import { createTransfer } from "./types/transfer";

/** The refund that its provider is to be asked for. */
type RefundIntent = { transaction_id: string };

export const createTransaction = saga({
  id: "transactions.create",
  summary: "Create a transaction",
  description:
    "Money moves in the same moment, and is on the ledger when the answer comes. Only a refund of a payment that a " +
    "provider took may stay `pending` until the provider has confirmed it.",
  access: rules["transactions.write"],
  rest: { method: "POST", path: "/v1/transactions" },
  input: newTransaction,
  output: transaction,
  errors: createErrors,
  async begin({ ctx, input, fail }): Promise<{ intent: RefundIntent } | { answer: Transaction }> {
    const row = await create({ ctx, input, fail });
    ctx.audit({ target: row.id, detail: { type: row.type, status: row.status, account_id: row.accountId } });
    return row.status === "pending" && row.provider !== null
      ? { intent: { transaction_id: row.id } }
      : { answer: present(row, fromAnywhere, ctx.now) };
  },
  async perform({ ctx, intent }) {
    const refund = await readTransaction(ctx.db, intent.transaction_id);
    const charge = refund && (await readTransaction(ctx.db, refund.parentTransactionId ?? ""));
    if (!refund?.provider || !charge?.providerReference) throw new Error(`${intent.transaction_id} has no charge.`);
    const { id: idempotencyKey, amount, currency, provider, livemode } = refund;
    const request = { idempotencyKey, chargeReference: charge.providerReference, amount, currency };
    try {
      return await inTime(providerFor(ctx.runtime, provider, livemode).refund(request));
    } catch (error) {
      // Whether the provider acted is not known: the refund stays pending, and it is asked again later.
      ctx.runtime.log.warn({ err: error, transactionId: refund.id }, "a provider did not answer a refund");
      return null;
    }
  },
  async finish({ ctx, intent, outcome }) {
    const row = await settled(ctx, intent.transaction_id, outcome);
    ctx.audit({ target: row.id, detail: { type: row.type, status: row.status, account_id: row.accountId } });
    return present(row, fromAnywhere, ctx.now);
  },
});

/** Types that only an admin or an API key may create. */
const notForMembers: readonly string[] = ["credit", "adjustment"];

async function create({ ctx, input, fail }: Omit<AnyCall, "organization">): Promise<TransactionRow> {
  const { actor } = ctx;
  if (actor.type === "user" && actor.role === "member" && notForMembers.includes(input.type)) {
    return fail("insufficient_permissions", "Only admins and API keys may create transactions of this type.");
  }
  const organization = await readOrganization(ctx.db, ctx.scope.organizationId);
  const call = { ctx, fail, organization };
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

async function settled(ctx: WriteContext, id: string, outcome: RefundResult | null): Promise<TransactionRow> {
  if (outcome !== null) return settle(ctx, id, outcome);
  const row = await readTransaction(ctx.db, id);
  if (!row) throw new Error(`No transaction has the id ${id}.`);
  return row;
}
