// The customer of a use of a reusable link whose payer nobody knew: found or made once a card was charged or authorized.
import { foundOrMadeLate } from "@/server/domains/customers/addressed";
import type { WriteContext } from "@/server/kit/context";
import type { Attempt } from "../derive";
import type { PaymentRow } from "../store";

/** Whether the attempt took money or holds it. */
const holds = ({ status, amountCaptured }: Attempt): boolean => amountCaptured > 0 || status === "authorized";

/**
 * The customer that the payer of a use becomes, as a column; nothing for other payment requests, nor before a card was
 * charged or authorized. Anybody can open a link and try cards with invented names, so a declined card makes no
 * customer. The caller has locked the use.
 */
export async function customerOfUse(
  ctx: WriteContext,
  { parentPaymentId, customerId: known, customer, organizationId, accountId }: PaymentRow,
  attempts: readonly Attempt[],
): Promise<Pick<PaymentRow, "customerId"> | undefined> {
  if (parentPaymentId === null || known !== null || customer === null || !attempts.some(holds)) return undefined;
  return { customerId: await foundOrMadeLate(ctx, { organizationId, id: accountId }, customer) };
}
