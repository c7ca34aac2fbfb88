// When a payment request counts as overdue.
import type { Outputs } from "@/app/_trpc/server";

type Payment = Pick<Outputs["payments"]["list"]["data"][number], "status" | "due_at" | "amount_due">;

/** The customer still has to pay in these statuses. */
const unpaid: readonly Payment["status"][] = ["pending", "requires_action", "partially_paid"];

/** Whether the due date has passed while the customer still has to pay. `now` is in milliseconds since 1970. */
export function isOverdue({ status, due_at, amount_due }: Payment, now: number): boolean {
  return due_at !== null && Date.parse(due_at) < now && amount_due > 0 && unpaid.includes(status);
}
