// Supplies what transactions need from payment requests (server/domains/transactions/payment-requests.ts).
import type {
  Demand,
  OfflinePayment,
  PaymentRefusal,
  PaymentRequests,
} from "@/server/domains/transactions/payment-requests";
import type { WriteContext } from "@/server/kit/context";
import { customersOf, idsOfCustomer, idsWithCustomer } from "./customer-ids-store";
import { amountDue } from "./derive";
import { factsOf } from "./facts";
import { mayMailPayer } from "./links/payer";
import { mayTakePlace } from "./links/refresh-link";
import { releaseExcess } from "./links/reserve-place";
import { refreshPayment } from "./refresh";
import { mayRecordPart, refusalToRecord } from "./rules";
import { findInOrganization, lockPayments, readPayment } from "./store";
import { surplusWithin } from "./surplus";

export const paymentRequestSteps: PaymentRequests = {
  accountOf: async (tx, organizationId, id) => (await findInOrganization(tx, organizationId, id))?.accountId,
  lock: (tx, id) => lockPayments(tx, [id]),
  refusalOf,
  refresh: (ctx, id, arrivedId) => refreshPayment(ctx, id, {}, arrivedId),
  surplusWithin,
  demandOf,
  releaseExcess,
  customersOf,
  idsOfCustomer,
  idsWithCustomer,
  async receiptsOf(q, id) {
    const row = await readPayment(q, id);
    const { locale = null, customerId = null } = row ?? {};
    return { locale, customerId, areMailed: row === undefined || (await mayMailPayer(q, row)) };
  },
};

async function refusalOf(
  ctx: WriteContext,
  id: string,
  { organizationId, accountId, amount, currency, livemode }: OfflinePayment,
): Promise<PaymentRefusal | null> {
  const row = await findInOrganization(ctx.db, organizationId, id);
  if (!row || row.accountId !== accountId) return "payment_not_found";
  if (row.livemode !== livemode) return "payment_not_payable";
  const facts = await factsOf(ctx.db, row);
  const refusal = refusalToRecord(facts, ctx.now);
  if (refusal !== null) return refusal;
  if (!(await mayTakePlace(ctx, row))) return "link_used_up";
  if (row.currency !== currency) return "currency_mismatch";
  const due = amountDue(row);
  if (amount > due) return "amount_too_large";
  return amount < due && !mayRecordPart(facts) ? "too_many_parts" : null;
}

async function demandOf(...given: Parameters<PaymentRequests["demandOf"]>): Promise<Demand> {
  const row = await readPayment(...given);
  if (!row) throw new Error(`No payment request has the id ${given[1]}.`);
  return { isWanted: amountDue(row) > 0, captureMethod: row.captureMethod };
}
