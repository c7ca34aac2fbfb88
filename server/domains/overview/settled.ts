// Which transactions the figures of the home page count.
import type { transactionStatuses } from "@/db/schema/values";

/** The statuses of payments of which something was received, and of refunds that succeeded. */
export const settledStatuses = [
  "succeeded",
  "partially_refunded",
  "refunded",
  "disputed",
  "charged_back",
] as const satisfies readonly (typeof transactionStatuses)[number][];
