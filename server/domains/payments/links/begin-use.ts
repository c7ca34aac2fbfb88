// Makes a use of a reusable link: the payment request of one payer, within the transaction of the first attempt.
import type { LineItem } from "@/db/schema/line-values";
import type { Customer } from "@/db/schema/values";
import { type Addressed, foundOnly } from "@/server/domains/customers/addressed";
import type { WriteContext } from "@/server/kit/context";
import { newId } from "@/server/kit/ids";
import { announce } from "../announce";
import { addressColumns } from "../customers";
import { beginFinal, finalColumns } from "../draft";
import { writeWords } from "../search-words";
import { insertPayment, type PaymentRow } from "../store";
import { payerKeyOf } from "./reserve-place";

/** What one payer pays for. */
interface Use {
  /** The id of the use: see {@link idOfUse}. */
  id: string;
  amount: number;
  lineItems: LineItem[];
  payer: Addressed;
}

/** The id of a new use. It is larger than that of its link, because payment requests are locked in the order of ids. */
export function idOfUse(ctx: WriteContext, link: Pick<PaymentRow, "id" | "createdAt">): string {
  const id = ctx.id("pay");
  return id > link.id ? id : newId("pay", link.createdAt + 1);
}

/**
 * The customer that the payer is, found by the address and never changed. Keeps the customer. A stranger becomes one
 * once a card was charged or authorized: see `customerOfUse`.
 */
export async function customerOfPayer(
  ctx: WriteContext,
  { organizationId, accountId }: Pick<PaymentRow, "organizationId" | "accountId">,
  customer: Customer,
): Promise<Addressed> {
  return foundOnly(ctx, { organizationId, id: accountId }, customer);
}

/** Inserts the use of a link, which the caller has locked. Its place is held once its attempt begins. */
export async function insertUse(ctx: WriteContext, link: PaymentRow, use: Use): Promise<PaymentRow> {
  const { id, amount, lineItems, payer } = use;
  const row = await insertPayment(ctx.db, {
    ...{ id, amount, lineItems, ...addressColumns(payer) },
    ...finalColumns(id, ctx.runtime.keys),
    ...{ parentPaymentId: link.id, usageLimit: 1, isIdle: true, payerKey: payerKeyOf(ctx, link.id) },
    organizationId: link.organizationId,
    accountId: link.accountId,
    type: link.type,
    currency: link.currency,
    description: link.description,
    subscription: link.subscription,
    captureMethod: link.captureMethod,
    successUrl: link.successUrl,
    cancelUrl: link.cancelUrl,
    locale: link.locale,
    metadata: link.metadata,
    expiresAt: link.expiresAt,
    livemode: link.livemode,
    ...{ createdAt: ctx.now, updatedAt: ctx.now },
  });
  if (!row) throw new Error(`The use ${id} has a reference.`);
  await writeWords(ctx.db, row);
  announce(ctx, "payment.created", null, row, { parent_payment_id: link.id });
  await beginFinal(ctx, row, null);
  return row;
}
