// How a provider's result changes a refund and the payment that it refunds. Pure, like provider-rules.ts.
import { type CreditPart, refundFailed, refundReturned, refundSucceeded } from "@/server/domains/ledger/rules";
import type { RefundResult } from "@/server/domains/providers/provider";
import type { TransactionRow } from "./present";
import { type Change, movedAt } from "./provider-rules";
import { capturedStatus } from "./rules";

/** How far a refund has come. A failure comes last, since a provider can still reverse a success. */
const refundProgress: Readonly<Record<string, number>> = { pending: 0, succeeded: 1, failed: 2, canceled: 2 };

/** A refund's change, and the change of the payment that it refunds. */
interface RefundChange extends Change {
  parentPatch: Partial<TransactionRow>;
}

/** How a refund's result changes the refund and its payment; null if nothing changes. */
export function applyRefund(
  row: TransactionRow,
  parent: TransactionRow,
  result: RefundResult,
  { now, credit }: { now: number; credit: CreditPart | null },
): RefundChange | null {
  const { accountId, amount, currency, provider } = row;
  const providerReference = row.providerReference ?? result.reference;
  if ((refundProgress[result.status] ?? 0) <= (refundProgress[row.status] ?? 0)) {
    return row.providerReference === null ? { patch: { providerReference }, journals: [], parentPatch: {} } : null;
  }
  const isReserved = row.status === "pending";
  const hasSucceeded = result.status === "succeeded";
  const valueAt = hasSucceeded ? movedAt(result, now) : now;
  const amountRefunding = parent.amountRefunding - (isReserved ? amount : 0);
  const amountRefunded = parent.amountRefunded + (hasSucceeded ? amount : isReserved ? 0 : -amount);
  const movement = { accountId, amount, currency };
  const journal = hasSucceeded
    ? refundSucceeded({ ...movement, provider })
    : isReserved
      ? refundFailed({ ...movement, credit })
      : refundReturned({ ...movement, provider, credit });
  return {
    patch: {
      status: hasSucceeded ? "succeeded" : "failed",
      providerReference,
      failure: hasSucceeded ? null : result.failure,
      settledAt: now,
      ...(hasSucceeded && { effectiveAt: valueAt }),
    },
    journals: [journal],
    valueAt,
    parentPatch: {
      amountRefunding,
      amountRefunded,
      status: parent.status === "authorized" ? parent.status : capturedStatus({ ...parent, amountRefunded }),
    },
  };
}
