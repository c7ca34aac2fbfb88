// The price of a subscription, its status, and what happens next and when.
import { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import { Instant } from "@/app/_ui/instant";
import { Money } from "@/app/_ui/money";
import { Card } from "@/app/_ui/page-frame";
import { StatusBadge } from "@/app/_ui/status-badge";
import classes from "../../payment-requests/_parts/payment-parts.module.css";
import type { Subscription } from "./subscription-path";
import { Price } from "./subscription-texts";

interface Props {
  subscription: Subscription;
  /** Whether the bank said that the stored card must not be tried again. */
  isCardRefused: boolean;
  reader: Viewer;
}

export function SubscriptionHeadline({ subscription, isCardRefused, reader }: Props) {
  const t = useTranslations("subscriptions.next");
  const { key, at } = nextOf(subscription, isCardRefused);
  return (
    <Card padded>
      <div className={classes.headline}>
        <span className={classes.amount}>
          <Price subscription={subscription} locale={reader.locale} />
        </span>
        <StatusBadge status={subscription.status} />
      </div>
      <p className={classes.lead}>
        {t.rich(key, {
          at: () => at && <Instant at={at} {...reader} />,
          amount: () => <Money amount={subscription.amount} currency={subscription.currency} locale={reader.locale} />,
        })}
      </p>
    </Card>
  );
}

/** The sentence that says what happens next, and its instant. */
function nextOf(row: Subscription, isCardRefused: boolean) {
  const { status, current_period_end: periodEnd, next_charge_at: next } = row;
  switch (status) {
    case "incomplete":
      return { key: "incomplete", at: null } as const;
    case "canceled":
      return { key: "canceled", at: row.canceled_at } as const;
    case "ended":
      return { key: `ended.${row.end_reason ?? "completed"}`, at: row.ended_at } as const;
    case "paused":
      if (row.cancel_at_period_end) return { key: "pausedEnding", at: periodEnd } as const;
      if (row.pause_reason !== null) return { key: `waiting.${row.pause_reason}`, at: null } as const;
      return { key: row.resume_at === null ? "paused" : "pausedUntil", at: row.resume_at } as const;
    case "past_due":
      if (row.cancel_at_period_end && next === null) return { key: "pastDueEnding", at: periodEnd } as const;
      return { key: isCardRefused ? "pastDueRefused" : "pastDue", at: next } as const;
    default:
      if (row.cancel_at_period_end) return { key: "ending", at: periodEnd } as const;
      if (next === null) return { key: "last", at: periodEnd } as const;
      return { key: status === "trialing" ? "trialing" : "active", at: next } as const;
  }
}
