// The customer of a use of a reusable link whose payer nobody knew: found or made once a card was charged or authorized.
import { foundLate, foundOrMadeLate } from "@/server/domains/customers/addressed";
import type { WriteContext } from "@/server/kit/context";
import type { Attempt } from "../derive";
import type { PaymentRow } from "../store";
import { erasingPayer } from "./erasing-payer";

/** Whether the attempt took money or holds it. */
const holds = ({ status, amountCaptured }: Attempt): boolean => amountCaptured > 0 || status === "authorized";

/**
 * The customer that the payer of a use becomes, as a column; nothing for other payment requests, nor before a card was
 * charged or authorized. Anybody can open a link and try cards with invented names, so a declined card makes no
 * customer. The caller has locked the use.
 */
export async function customerOfUse(
  ctx: WriteContext,
  use: PaymentRow,
  attempts: readonly Attempt[],
): Promise<Pick<PaymentRow, "customerId"> | undefined> {
  const { parentPaymentId, customerId: known, customer, organizationId, accountId: id } = use;
  if (parentPaymentId === null || known !== null || customer === null || !attempts.some(holds)) return undefined;
  const payee = { organizationId, id };
  // First, because an erasure that begins waits for a customer that is kept, and has ended the address of any other.
  const found = await foundLate(ctx, payee, customer);
  // The erasure of a large customer that began later will come to this use, too.
  const erased = await erasingPayer()(ctx.db, use);
  return { customerId: erased ?? found ?? (await foundOrMadeLate(ctx, payee, customer)) };
}
