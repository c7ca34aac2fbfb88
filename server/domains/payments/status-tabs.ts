// The tabs of the list of payment requests, and their statuses.
import type { PaymentStatus } from "./rules";

/** Each status is in exactly one tab. */
export const tabs = {
  open: ["draft", "pending", "requires_action", "processing", "partially_paid"],
  to_capture: ["authorized"],
  paid: ["paid", "partially_refunded", "refunded", "disputed"],
  expired: ["expired"],
  canceled: ["canceled", "failed"],
} as const satisfies Record<string, readonly PaymentStatus[]>;

export type Tab = keyof typeof tabs;
