// The tabs of the list of payment requests: which statuses and filters each has.
import type { PaymentStatus } from "./rules";

/** Each status is in exactly one of these tabs, apart from what `filtersOfTab` moves. */
export const tabs = {
  drafts: ["draft"],
  open: ["pending", "requires_action", "processing", "partially_paid", "failed"],
  to_capture: ["authorized"],
  paid: ["paid", "partially_refunded", "refunded", "disputed"],
  expired: ["expired"],
  canceled: ["canceled"],
} as const satisfies Record<string, readonly PaymentStatus[]>;

/**
 * The statuses after a refund or a lost dispute. What was due before still is, so a request with them can be open, unless
 * another dispute is.
 */
export const refundStatuses = [
  "partially_refunded",
  "refunded",
  "disputed",
] as const satisfies readonly PaymentStatus[];

/** The stored statuses with which a payment request can take money that was received otherwise. */
export const recordableStatuses = [
  ...(["pending", "partially_paid", "failed", "expired"] as const),
  // The hold of an invoice may have lapsed.
  "authorized",
  ...refundStatuses,
] as const satisfies readonly PaymentStatus[];

/**
 * The list's filters in each tab. Each payment request is in exactly one. `links` has the idle ones: reusable links that
 * can be used, and uses of them that nobody is paying.
 */
export const filtersOfTab = {
  drafts: { status: tabs.drafts },
  open: { open: true },
  links: { status: tabs.open, open: false },
  to_capture: { status: tabs.to_capture },
  paid: { status: tabs.paid, open: false },
  expired: { status: tabs.expired },
  canceled: { status: tabs.canceled },
} as const satisfies Record<string, { status?: readonly PaymentStatus[]; open?: boolean }>;

export type Tab = keyof typeof filtersOfTab;
