// What must hold for what customers are told: each end of a subscription that had begun once, and no other.
import { and, eq, type SQL } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { mails } from "@/db/tables";
import type { Facts } from "./facts";
import { must, mustEqual } from "./violation";

export const endMailsWhere = (q: Reader, where: SQL) =>
  q
    .select({ paymentId: mails.paymentId })
    .from(mails)
    .where(and(where, eq(mails.kind, "subscription_ended")));

type Subscription = Facts["subscriptions"][number];

/** Whether it ended at the date that was announced when somebody canceled it at the end of its period. */
const endedAsTold = ({ status, cancelAtPeriodEnd, endedAt, currentPeriodEnd }: Subscription): boolean =>
  status === "canceled" && cancelAtPeriodEnd && endedAt !== null && endedAt >= (currentPeriodEnd ?? 0);

/** Invariant 38: customers are told once that a subscription has ended, as far as anybody may be mailed. */
export function checkTold({ subscriptions, payments, customers, events, endMails }: Facts): void {
  const hadBegun = ({ id, status, endReason }: Subscription): boolean => {
    if (status === "ended") return endReason !== "incomplete";
    const end = events.find(({ objectId, type }) => objectId === id && type === "subscription.canceled");
    return end !== undefined && end.data.previous_status !== "incomplete";
  };
  for (const first of payments.filter((one) => subscriptions.some(({ firstPaymentId }) => firstPaymentId === one.id))) {
    const own = subscriptions.filter(({ firstPaymentId }) => firstPaymentId === first.id);
    const mayMail = first.parentPaymentId === null;
    const ends = own.filter((one) => mayMail && hadBegun(one) && !endedAsTold(one));
    const told = endMails.filter(({ paymentId }) => paymentId === first.id).length;
    must(told <= ends.length, "38", `${told} mails say that the subscription of ${first.id} ended`);
    const customer = customers.find(({ id }) => id === own[0]?.customerId);
    // One who was erased may have been told before.
    if (customer?.email)
      mustEqual(told, ends.length, "38", `mails that say that the subscription of ${first.id} ended`);
  }
}
