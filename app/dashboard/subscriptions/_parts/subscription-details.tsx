// The details of a subscription: who pays, with which card, period, trial, cycles; its metadata.
import { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import { CopyableId } from "@/app/_ui/copyable-id";
import { DetailList, DetailNote } from "@/app/_ui/detail-list";
import { Instant } from "@/app/_ui/instant";
import { Link } from "@/app/_ui/link";
import { Card } from "@/app/_ui/page-frame";
import { customerPath } from "../../customers/_parts/customer-path";
import classes from "../../payment-requests/_parts/payment-parts.module.css";
import { paymentPath } from "../../payment-requests/_parts/payment-path";
import { Period } from "./subscription-cycles";
import { payerOf, type Subscription, type Title } from "./subscription-path";
import { useCard } from "./subscription-texts";

interface Props {
  subscription: Subscription;
  title: Title | undefined;
  /** The subscription's account; null if the reader has only one. */
  account: { id: string; name: string } | null;
  reader: Viewer;
}

export function SubscriptionDetails({ subscription, title, account, reader }: Props) {
  const t = useTranslations("subscriptions");
  const { customer_id: customer, cycles, cycles_done: done } = subscription;
  const { current_period_start: from, current_period_end: to } = subscription;
  const at = (instant: string | null) => instant !== null && <Instant at={instant} {...reader} />;
  const linked = (href: string, text: string) => (
    <Link href={href} className={classes.link}>
      {text}
    </Link>
  );
  const isOver = subscription.ended_at !== null;
  return (
    <Card title={t("details")}>
      <DetailList
        items={[
          { label: t("id"), value: <CopyableId id={subscription.subscription_id} /> },
          {
            label: t("customer"),
            value: customer && linked(customerPath(customer), payerOf(title) ?? t("openCustomer")),
          },
          { label: t("account"), value: account && linked(`/dashboard/accounts/${account.id}`, account.name) },
          { label: t("card"), value: <StoredCard subscription={subscription} /> },
          {
            label: t(isOver ? "lastPeriod" : "period"),
            value: from !== null && to !== null && <Period from={from} to={to} reader={reader} />,
          },
          { label: t("trialEnds"), value: at(subscription.trial_ends_at) },
          {
            label: t("cyclesDone"),
            value: cycles === null ? t("doneUnlimited", { done }) : t("doneOf", { done, cycles }),
          },
          { label: t("resumes"), value: at(subscription.resume_at) },
          { label: t("begun"), value: linked(paymentPath(subscription.first_payment_id), t("firstRequest")) },
          { label: t("created"), value: at(subscription.created_at) },
          { label: t("canceledAt"), value: at(subscription.canceled_at) },
          { label: t("endedAt"), value: subscription.canceled_at === null && at(subscription.ended_at) },
        ]}
      />
    </Card>
  );
}

/** The card, and below it when it expires. */
function StoredCard({ subscription }: { subscription: Subscription }) {
  const t = useTranslations("subscriptions");
  const card = useCard()(subscription);
  if (card === null) return t("noCard");
  const { exp_month: month, exp_year: year } = subscription.payment_method ?? {};
  return (
    <>
      {card}
      {month != null && year != null && (
        <DetailNote>{t("cardExpires", { month: String(month).padStart(2, "0"), year: String(year) })}</DetailNote>
      )}
    </>
  );
}

/** Renders nothing without metadata. */
export function SubscriptionMetadata({ metadata }: Pick<Subscription, "metadata">) {
  const t = useTranslations("subscriptions");
  const items = Object.entries(metadata).map(([label, value]) => ({ label, value }));
  if (items.length === 0) return null;
  return (
    <Card title={t("metadata")}>
      <DetailList items={items} />
    </Card>
  );
}
