// The actions that a subscription allows those who may change it, in its current state.
import { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import { PageActions } from "@/app/_ui/page-actions";
import { refusalTo } from "@/server/domains/subscriptions/rules";
import { CancelSubscription } from "./cancel-subscription";
import { CardLink } from "./card-link";
import { ChangeAmount } from "./change-amount";
import { KeepSubscription } from "./keep-subscription";
import { PauseSubscription } from "./pause-subscription";
import { ResumeSubscription } from "./resume-subscription";
import type { Subscription } from "./subscription-path";

interface Props {
  subscription: Subscription;
  /** What the subscription is called. */
  name: string;
  /** Minor units that were charged last. */
  charged: number;
  /** The address of the customer. */
  email: string | null;
  reader: Viewer;
}

export function SubscriptionActions({ subscription, name, charged, email, reader }: Props) {
  const interval = useTranslations("pay.interval");
  const {
    subscription_id: id,
    status,
    cancel_at_period_end: cancelAtPeriodEnd,
    current_period_end: end,
  } = subscription;
  // A period that has passed cannot be waited for.
  const isAhead = end !== null && Date.parse(end) > Date.now() + reader.aheadMs;
  const { amount, currency, cycles, cycles_done: done } = subscription;
  const can = (command: Parameters<typeof refusalTo>[0]) =>
    refusalTo(command, { status, cancelAtPeriodEnd, cycles, cyclesBegun: done }) === null;
  const every = interval(subscription.interval, { count: subscription.interval_count });
  const hasMore = (cycles === null || done < cycles) && !cancelAtPeriodEnd;
  const { locale, timeZone } = reader;
  const named = { id, name };
  return (
    <PageActions>
      {can("resume") && <ResumeSubscription {...named} />}
      {can("keep") && <KeepSubscription {...named} />}
      {can("change_amount") && hasMore && (
        <ChangeAmount
          id={id}
          name={name}
          amount={amount}
          charged={charged}
          currency={currency}
          every={every}
          locale={locale}
          hasLines={subscription.line_items.length > 0}
        />
      )}
      {can("change_card") && <CardLink id={id} name={name} email={email} />}
      {can("pause") && <PauseSubscription id={id} name={name} timeZone={timeZone} />}
      {can("cancel_now") && (
        <CancelSubscription
          id={id}
          name={name}
          periodEnd={can("cancel_later") && isAhead ? end : null}
          isUnpaid={status === "past_due"}
          locale={locale}
          timeZone={timeZone}
        />
      )}
    </PageActions>
  );
}
