// The status that the dashboard shows of a payment request, where it says more than the status of the API.
import type { Outputs } from "@/app/_trpc/server";

type Payment = Pick<Outputs["payments"]["list"]["data"][number], "status" | "amount_lost" | "paused">;

/** Whether it is a reusable link that would take payments if the merchant had not paused it. */
export const isPausedLink = ({ status, paused }: Pick<Payment, "status" | "paused">): boolean =>
  paused && status === "pending";

export function shownStatus(payment: Payment): Payment["status"] | "dispute_lost" | "paused" {
  if (isPausedLink(payment)) return "paused";
  return payment.status === "disputed" && payment.amount_lost > 0 ? "dispute_lost" : payment.status;
}
