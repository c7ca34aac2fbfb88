// The installments of a payment request: what is paid of each, and when the next one is due.
import type { Installment } from "@/db/schema/values";
import type { PaymentStatus } from "./derive";

export const installmentStatuses = ["paid", "overdue", "due", "upcoming", "ended"] as const;

interface Share extends Installment {
  /** Minor units. */
  amountPaid: number;
}

interface InstallmentState extends Share {
  status: (typeof installmentStatuses)[number];
}

/** What counts towards installments, in minor units: not the part that is due again after a lost dispute. */
export const paidOfPlan = (row: { amountPaid: number; amountReopened: number }): number =>
  Math.max(0, row.amountPaid - row.amountReopened);

/** What is paid of each installment: money counts towards the oldest one that is not paid in full. */
export function sharesOf(installments: readonly Installment[], amountPaid: number): Share[] {
  let left = amountPaid;
  return installments.map((installment) => {
    const share = Math.min(installment.amount, left);
    left -= share;
    return { ...installment, amountPaid: share };
  });
}

/** Minor units of an installment that are not paid. */
export const openPart = ({ amount, amountPaid }: Share): number => amount - amountPaid;

/** When the oldest installment is due that is not paid in full, or the last one once all are; epoch ms. */
export function nextDueAt(installments: readonly Installment[], amountPaid: number): number | null {
  const next = sharesOf(installments, amountPaid).find((share) => openPart(share) > 0) ?? installments.at(-1);
  return next?.due_at ?? null;
}

const endings: readonly PaymentStatus[] = ["canceled", "expired"];

/** Each installment at `now`, given the status of the payment request. One that is due at `now` is not overdue yet. */
export function installmentsAt(
  { installments, amountPaid }: { installments: readonly Installment[]; amountPaid: number },
  status: PaymentStatus,
  now: number,
): InstallmentState[] {
  const shares = sharesOf(installments, amountPaid);
  const next = shares.find((share) => openPart(share) > 0);
  const statusOf = (share: Share): InstallmentState["status"] => {
    if (openPart(share) === 0) return "paid";
    if (endings.includes(status)) return "ended";
    if (share.due_at < now && status !== "draft") return "overdue";
    return share === next ? "due" : "upcoming";
  };
  return shares.map((share) => ({ ...share, status: statusOf(share) }));
}
