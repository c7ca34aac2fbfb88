// The status of a payment request: <PaymentStatus payment={payment} reader={reader} />.
import type { Viewer } from "@/app/_i18n/viewer";
import type { Outputs } from "@/app/_trpc/server";
import { StatusBadge } from "@/app/_ui/status-badge";
import { isOverdue } from "./overdue";
import classes from "./payment-status.module.css";
import { shownStatus } from "./shown-status";

interface Props {
  payment: Pick<
    Outputs["payments"]["list"]["data"][number],
    "status" | "due_at" | "amount_due" | "amount_lost" | "dispute_status" | "paused"
  >;
  reader: Viewer;
}

/** Shows that a payment request is overdue, and its status unless that is only `pending`. */
export function PaymentStatus({ payment, reader: { aheadMs } }: Props) {
  const status = shownStatus(payment);
  if (!isOverdue(payment, Date.now() + aheadMs)) return <StatusBadge status={status} />;
  return (
    <span className={classes.statuses}>
      <StatusBadge status="overdue" />
      {status !== "pending" && <StatusBadge status={status} />}
    </span>
  );
}
