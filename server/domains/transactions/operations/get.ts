// GET /v1/transactions/{transaction_id}: one transaction.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { operation } from "@/server/kit/operation";
import { transaction, transactionId } from "../schema";
import { shownTransaction } from "../shown";
import { findTransaction } from "../store";

export const getTransaction = operation({
  id: "transactions.get",
  summary: "Retrieve a transaction",
  description: "All fields, with the status and the amounts refunded and disputed so far.",
  access: rules["transactions.read"],
  time: "organization",
  effect: "read",
  rest: { method: "GET", path: "/v1/transactions/{transaction_id}" },
  input: z.strictObject({ transaction_id: transactionId }),
  output: transaction,
  errors: { transaction_not_found: 400 },
  async run({ ctx, input, fail }) {
    const seen = await findTransaction(ctx.db, ctx.scope, input.transaction_id);
    return seen ? shownTransaction(ctx, seen.row, () => seen.isOwn) : fail("transaction_not_found");
  },
});
