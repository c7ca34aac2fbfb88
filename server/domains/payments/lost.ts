// What may happen to what lost disputes took of a payment request, and when it is due again.

import { isErased } from "./link";
import { defaultExpiryMs, isAvailable } from "./rules";
import type { PaymentRow } from "./store";

/** Why nothing of a payment request can be made due again; null if it can. A cancelation has credited what it asks for. */
export function refusalToReopen(row: PaymentRow, account: Parameters<typeof isAvailable>[0]) {
  if (row.amountLost === 0) return { code: "nothing_lost" } as const;
  const text = row.canceledAt !== null ? "It was canceled." : isErased(row) ? "Its customer was erased." : null;
  if (text !== null) return { code: "payment_not_reopenable", text } as const;
  if (isAvailable(account)) return null;
  return { code: "payment_not_reopenable", text: "Nobody owns the account that is paid." } as const;
}

/** When a payment request expires that is due again at `dueAt`: it can be paid as long as a new one, and until then. */
export const expiryOfReopened = ({ expiresAt }: PaymentRow, dueAt: number | null, now: number): number | null =>
  expiresAt === null ? null : Math.max(expiresAt, now + defaultExpiryMs, dueAt ?? 0);
