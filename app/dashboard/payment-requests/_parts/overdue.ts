// When a payment request counts as overdue, and whether it can still expire.
import type { Outputs } from "@/app/_trpc/server";
import { unpaidStatuses } from "@/db/schema/values";
import { refundStatuses } from "@/server/domains/payments/status-tabs";

type Listed = Outputs["payments"]["list"]["data"][number];
type Payment = Pick<Listed, "status" | "due_at" | "amount_due"> & Partial<Pick<Listed, "dispute_status">>;

const ended: readonly Payment["status"][] = ["canceled"];

/** Whether the date of expiry still means something: the payment request has expired, or will unless it is paid. */
export const hasExpiry = ({ status, amount_due, usage_limit }: Payment & Pick<Listed, "usage_limit">): boolean =>
  (amount_due > 0 || (usage_limit !== 1 && status !== "paid")) && !ended.includes(status);

const waiting: readonly Payment["status"][] = [...unpaidStatuses, ...refundStatuses];

/** Whether the due date has passed while the customer still has to pay, also after a refund of a part payment. `now` is in milliseconds since 1970. */
export function isOverdue({ status, due_at, amount_due, dispute_status: dispute }: Payment, now: number): boolean {
  return (
    due_at !== null && Date.parse(due_at) < now && amount_due > 0 && dispute !== "open" && waiting.includes(status)
  );
}
