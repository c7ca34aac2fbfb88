// The statuses of payment requests as people look for them: what is open, what is paid, what has ended without money.
import type { PaymentStatus } from "./rules";

/** Each status is in one tab. */
export const tabs = {
  open: ["draft", "pending", "requires_action", "processing", "authorized", "partially_paid"],
  paid: ["paid", "partially_refunded", "refunded", "disputed"],
  expired: ["expired"],
  canceled: ["canceled", "failed"],
} as const satisfies Record<string, readonly PaymentStatus[]>;

export type Tab = keyof typeof tabs;
