// The mail with which an account asks its customer to pay. Limits on mails apply.
import type { AccountRow } from "@/server/domains/accounts/authorized-account";
import { enqueueMail } from "@/server/domains/mails/enqueue";
import type { MailRow } from "@/server/domains/mails/store";
import { mailThrottles, senderOf } from "@/server/domains/mails/throttles";
import { reserve } from "@/server/fairness/throttle";
import type { WriteContext } from "@/server/kit/context";
import { foldEmail } from "@/server/kit/fields";
import { amountDue } from "./derive";
import { payMailObject } from "./mail-links";
import type { PaymentRow } from "./store";

/** Writes the mail. Refuses with `rate_limited` beyond a limit. Takes row locks, so call it last. */
export async function mailRequest(
  ctx: WriteContext,
  account: AccountRow,
  row: PaymentRow,
  { to, message }: { to: string; message: string | null },
): Promise<MailRow> {
  const { id: paymentId, organizationId, accountId, customer, description, reference, currency, livemode } = row;
  const counted = { organizationId, accountId, paymentId, toKey: foldEmail(to) };
  await reserve(ctx.db, ctx.now, mailThrottles(counted, senderOf(ctx)));
  const { name, email, preferences } = account;
  return enqueueMail(ctx, {
    ...{ kind: "payment_request", organizationId, paymentId, to, account: { id: accountId, name, email } },
    ...{ locales: [row.locale, preferences.locale], timezone: preferences.timezone },
    link: { purpose: "pay", objectId: payMailObject(row) },
    data: {
      ...{ amount: amountDue(row), currency, description, reference, livemode, message },
      ...{ customerName: customer?.name ?? null, at: row.dueAt ?? row.expiresAt },
    },
  });
}
