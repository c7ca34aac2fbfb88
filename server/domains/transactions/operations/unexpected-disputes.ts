// What providers said about disputes that could not be booked: listed until somebody has looked into it.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import * as fields from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { iso } from "@/server/process/clock";
import { updateRow } from "../record-store";
import { transactionId } from "../schema";
import { findTransaction, lockTransactions, readTransaction } from "../store";
import { listUnexpected } from "../unexpected-store";

const unexpected = z.strictObject({
  transaction_id: z.string(),
  reported_at: fields.timestamp,
  status: z.enum(["open", "won", "lost"]),
  /** Minor units as the provider gave them, and its currency. */
  amount: z.number(),
  currency: z.string(),
});

export const unexpectedDisputes = operation({
  id: "transactions.unexpectedDisputes",
  summary: "List what providers said about disputes that could not be booked",
  description: "Such as a second dispute of one payment. The latest first.",
  access: rules["transactions.read"],
  time: "organization",
  effect: "read",
  input: z.strictObject({}),
  output: z.strictObject({ data: z.array(unexpected), has_more: z.boolean() }),
  errors: { insufficient_permissions: 400 },
  async run({ ctx }) {
    const rows = await listUnexpected(ctx.db, ctx.scope, limits.attention + 1);
    const data = rows.slice(0, limits.attention).map(({ id, at, dispute }) => {
      const { status, amount, currency } = dispute;
      return { transaction_id: id, reported_at: iso(at), status, amount, currency };
    });
    return { data, has_more: rows.length > data.length };
  },
});

export const dismissDispute = operation({
  id: "transactions.dismissDispute",
  summary: "Mark an unexpected report about a dispute as done",
  description:
    "Nothing is booked. If the provider reports something else, or has done so since `reported_at`, it is listed.",
  access: rules["attention.dismiss"],
  time: "organization",
  effect: "write",
  /** `reported_at` names the report that was read: a later one stays listed. */
  input: z.strictObject({ transaction_id: transactionId, reported_at: fields.instant }),
  output: z.strictObject({ transaction_id: z.string(), dismissed: z.boolean() }),
  errors: { insufficient_permissions: 400, transaction_not_found: 400 },
  async run({ ctx, input, fail }) {
    const seen = (await findTransaction(ctx.db, ctx.scope, input.transaction_id)) ?? fail("transaction_not_found");
    await lockTransactions(ctx.db, seen.row.paymentId, [seen.row.id]);
    const row = (await readTransaction(ctx.db, seen.row.id)) ?? fail("transaction_not_found");
    const dismissed = row.unexpectedDisputeAt !== null && row.unexpectedDisputeAt <= input.reported_at;
    if (dismissed) await updateRow(ctx.db, row, { unexpectedDisputeAt: null }, ctx.now);
    ctx.audit({ target: row.id, detail: { dismissed } });
    return { transaction_id: row.id, dismissed };
  },
});
