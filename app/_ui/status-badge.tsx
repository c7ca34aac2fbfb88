// A status as a colored dot and a word; the color adds nothing that the word does not say.
import { useTranslations } from "next-intl";
import type {
  accountStatuses,
  mailStatuses,
  paymentStatuses,
  subscriptionStatuses,
  transactionStatuses,
  userStatuses,
} from "@/db/schema/values";
import type { InvitationStatus } from "@/server/domains/invitations/schema";
import classes from "./status-badge.module.css";

type Status =
  | (typeof paymentStatuses)[number]
  | (typeof transactionStatuses)[number]
  | (typeof subscriptionStatuses)[number]
  | (typeof accountStatuses)[number]
  | (typeof userStatuses)[number]
  | (typeof mailStatuses)[number]
  | InvitationStatus
  | "overdue"
  | "dispute_lost";

type Tone = "positive" | "ready" | "waiting" | "negative" | "over" | "quiet";

/** A status without a tone does not compile. */
const tones: Record<Status, Tone> = {
  draft: "quiet",
  pending: "waiting",
  requires_action: "waiting",
  processing: "waiting",
  authorized: "ready",
  partially_paid: "waiting",
  paid: "positive",
  succeeded: "positive",
  partially_refunded: "over",
  refunded: "over",
  disputed: "negative",
  dispute_lost: "negative",
  charged_back: "negative",
  failed: "negative",
  canceled: "quiet",
  expired: "quiet",
  open: "positive",
  closed: "quiet",
  reversed: "over",
  active: "positive",
  removed: "quiet",
  queued: "waiting",
  sent: "positive",
  held: "quiet",
  accepted: "positive",
  revoked: "quiet",
  overdue: "negative",
  incomplete: "waiting",
  trialing: "ready",
  past_due: "negative",
  paused: "waiting",
  ended: "quiet",
};

export function StatusBadge({ status }: { status: Status }) {
  const t = useTranslations("status");
  return (
    <span className={classes.badge} data-tone={tones[status]}>
      {t(status)}
    </span>
  );
}
