// The receipts behind a pay link: of everything, with each payment and refund, and of each payment. Reads only.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { iso } from "@/server/process/clock";
import { amountMissing } from "../derive";
import { amountChargedBack } from "../disputed";
import { linkHashOf } from "../link";
import { linkPageFields, presentLinkPage } from "../link-page";
import { shownUse } from "../links/link-view";
import { means, meansOf } from "../means";
import { findPageByLink, type LinkedPage } from "../page-store";
import { type MovementRow, movementsOf } from "../receipt-store";
import { returnUrlOf } from "../return-url";

const movement = z.strictObject({
  transaction_id: z.string(),
  at: z.string(),
  /** Minor units. */
  amount: z.int(),
  ...means.shape,
});

const receipt = z.strictObject({
  ...linkPageFields,
  /** Where the account takes questions; its mails to customers have the same address. */
  account_email: z.string(),
  /** The customer's name, or without one the e-mail address. */
  customer: z.string().nullable(),
  success_url: z.string().nullable(),
  payments: z.array(movement),
  refunds: z.array(movement),
  /** For the receipt of one payment: the minor units of the whole payment request. */
  whole_amount: z.int().nullable(),
  /** Whether what the customer's bank left covers what was asked for; of one payment, whether it took nothing. */
  is_covered: z.boolean(),
  /** Whether there are more movements than a receipt lists. */
  is_cut: z.boolean(),
});

export type Receipt = z.output<typeof receipt>;

export const paymentReceipt = operation({
  id: "payments.receipt",
  summary: "Open the receipt behind a pay link",
  access: rules["pay.link"],
  effect: "read",
  input: z.strictObject({
    token: z.string().max(limits.linkToken),
    transaction_id: z.string().max(limits.id).nullable().default(null).meta({
      description: "A payment, for a receipt of that one alone.",
    }),
  }),
  output: receipt,
  errors: { payment_not_found: 404 },
  async run({ ctx, input, fail }) {
    const hash = linkHashOf(input.token) ?? "malformed";
    const linked = (await findPageByLink(ctx.db, hash)) ?? fail("payment_not_found");
    // Of a reusable link nothing was paid: only its uses have receipts.
    const page = { ...linked, payment: shownUse(linked.payment, []) };
    const rows = await movementsOf(ctx.db, linked.payment.id, input.transaction_id, limits.receiptMovements + 1);
    const listed = rows.slice(0, limits.receiptMovements);
    const payment = listed.find(({ id }) => id === input.transaction_id);
    if (input.transaction_id !== null && payment?.type !== "payment") return fail("payment_not_found");
    return {
      ...presentLinkPage(page),
      // A part stays a part once the rest is canceled.
      amount_due: amountMissing(linked.payment),
      ...(payment && {
        ...{ amount_paid: payment.amountCaptured, amount_refunded: payment.amountRefunded, amount_due: 0 },
        amount_charged_back: amountChargedBack([payment]),
      }),
      is_covered: payment ? amountChargedBack([payment]) === 0 : isKept(linked.payment),
      whole_amount: payment ? linked.payment.amount : null,
      account_email: linked.account.email,
      customer: linked.payment.customer?.name ?? linked.payment.customer?.email ?? null,
      success_url: returnUrlOf(linked.payment.successUrl, linked.payment.id),
      payments: listed.filter(({ type }) => type === "payment").map(presentMovement),
      refunds: listed.filter(({ type }) => type === "refund").map(presentMovement),
      is_cut: rows.length > listed.length,
    };
  },
});

/** Whether payments that the bank did not take back cover the amount, less what a final capture released. */
const isKept = ({ amount, amountPaid, amountWaived, amountChargedBack: returned }: LinkedPage["payment"]): boolean =>
  amountPaid + amountWaived - returned >= (amount ?? 0);

function presentMovement(row: MovementRow): z.input<typeof movement> {
  return {
    transaction_id: row.id,
    at: iso(row.effectiveAt),
    amount: row.type === "payment" ? row.amountCaptured : row.amount,
    ...meansOf(row),
  };
}
