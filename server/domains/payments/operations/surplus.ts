// Overpaid payment requests, and the refunds that give back exactly the surplus.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import type { ReadContext } from "@/server/kit/context";
import * as fields from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import type { PaymentRow } from "../store";
import { countOverpaid, listOverpaid, listRefundable, surplusRefunding } from "../surplus-store";

const overpaid = z.strictObject({
  payment_id: z.string(),
  description: z.string().nullable(),
  currency: fields.currencyCode,
  amount_overpaid: fields.total,
  /** Refunds that together give back the surplus, less pending refunds. None while a dispute is open. */
  refunds: z.array(z.strictObject({ transaction_id: z.string(), amount: fields.total })),
});

export const overpaidPayments = operation({
  id: "payments.overpaid",
  summary: "List overpaid payment requests",
  access: rules["payments.read"],
  time: "organization",
  effect: "read",
  input: z.strictObject({}),
  output: z.strictObject({ data: z.array(overpaid), total_count: z.int() }),
  errors: { insufficient_permissions: 400 },
  async run({ ctx }) {
    const rows = await listOverpaid(ctx.db, ctx.scope, limits.attention);
    const isAll = rows.length < limits.attention;
    return {
      data: await Promise.all(rows.map((row) => present(ctx, row))),
      total_count: isAll ? rows.length : await countOverpaid(ctx.db, ctx.scope),
    };
  },
});

async function present({ db }: ReadContext, row: PaymentRow): Promise<z.input<typeof overpaid>> {
  let left = row.amountOverpaid - (await surplusRefunding(db, row.id));
  const refunds: { transaction_id: string; amount: number }[] = [];
  // Until a dispute is decided, nobody knows whether it takes the surplus.
  const payments = row.disputeStatus === "open" ? [] : await listRefundable(db, row.id);
  for (const payment of payments) {
    const amount = Math.min(left, payment.left);
    if (amount <= 0) break;
    refunds.push({ transaction_id: payment.id, amount });
    left -= amount;
  }
  const { id: payment_id, description, currency, amountOverpaid: amount_overpaid } = row;
  return { payment_id, description, currency, amount_overpaid, refunds };
}
