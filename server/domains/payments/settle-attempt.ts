// Settles what a provider says about an attempt of a pay page, to pay or to store a card.
import type { ChargeResult } from "@/server/domains/providers/provider";
import type { TransactionRow } from "@/server/domains/transactions/present";
import { settle } from "@/server/domains/transactions/settle";
import type { WriteContext } from "@/server/kit/context";
import { isId } from "@/server/kit/ids";
import { settleMethod } from "./methods/settle";
import type { MethodRow } from "./methods/store";

/** Settles the result of the attempt with this id. Idempotent. */
export const settleAttempt = (
  ctx: WriteContext,
  id: string,
  result: ChargeResult,
): Promise<TransactionRow | MethodRow> => (isId("sme", id) ? settleMethod(ctx, id, result) : settle(ctx, id, result));
