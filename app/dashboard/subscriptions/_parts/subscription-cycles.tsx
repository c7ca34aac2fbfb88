// The newest cycles of a subscription: the period, its payment request, and why it is not paid.
import { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import type { Outputs } from "@/app/_trpc/server";
import { ButtonLink } from "@/app/_ui/button-link";
import { Instant } from "@/app/_ui/instant";
import { Link } from "@/app/_ui/link";
import { Money } from "@/app/_ui/money";
import { Card } from "@/app/_ui/page-frame";
import { StatusBadge } from "@/app/_ui/status-badge";
import { limits } from "@/server/kit/limits";
import { failureText } from "../../_parts/failure-text";
import { paymentPath } from "../../payment-requests/_parts/payment-path";
import classes from "../../payment-requests/_parts/payment-transactions.module.css";
import type { Subscription } from "./subscription-path";

type Cycle = Outputs["subscriptions"]["cycles"]["cycles"][number];
type Request = Outputs["subscriptions"]["requests"]["data"][number];

interface Props {
  subscription: Subscription;
  /** The newest first. */
  cycles: readonly Cycle[];
  requests: readonly Request[];
  reader: Viewer;
}

export function SubscriptionCycles({ subscription, cycles, requests, reader }: Props) {
  const t = useTranslations("subscriptions");
  const { currency, trial_ends_at: trialEnd, created_at: created } = subscription;
  const all = (
    <ButtonLink href={`/dashboard/payment-requests?subscription_id=${subscription.subscription_id}`} variant="outline">
      {t("allRequests")}
    </ButtonLink>
  );
  return (
    <Card title={t("cycles")} action={cycles.length > 0 && all}>
      {cycles.length === 0 && trialEnd === null && <p className={classes.none}>{t("noCycles")}</p>}
      <ul className={classes.list}>
        {cycles.map((cycle) => {
          const request = requests.find(({ payment_id: id }) => id === cycle.payment_id);
          return (
            <li key={cycle.cycle} className={classes.row}>
              <span className={classes.what}>
                <Link href={paymentPath(cycle.payment_id)} className={classes.link}>
                  {t("cycle", { number: cycle.cycle })}
                </Link>
                <span className={classes.how}>
                  <Period from={cycle.period_start} to={cycle.period_end} reader={reader} />
                </span>
              </span>
              {request && <StatusBadge status={request.status} />}
              <span className={classes.amount}>
                <Money amount={cycle.amount} currency={currency} locale={reader.locale} />
              </span>
              <Problem subscription={subscription} cycle={cycle} request={request} reader={reader} />
            </li>
          );
        })}
        {trialEnd !== null && cycles.length < limits.shownCycles && (
          <li className={classes.row}>
            <span className={classes.what}>
              <Link href={paymentPath(subscription.first_payment_id)} className={classes.link}>
                {t("trial")}
              </Link>
              <span className={classes.how}>
                <Period from={created} to={trialEnd} reader={reader} />
              </span>
            </span>
            <span className={classes.how}>{t("free")}</span>
          </li>
        )}
      </ul>
      {cycles.length === limits.shownCycles && (
        <p className={classes.none}>{t("newestOnly", { count: cycles.length })}</p>
      )}
    </Card>
  );
}

export function Period({ from, to, reader }: { from: string; to: string; reader: Viewer }) {
  return (
    <span>
      <Instant at={from} isDay {...reader} /> – <Instant at={to} isDay {...reader} />
    </span>
  );
}

interface ProblemProps {
  subscription: Subscription;
  cycle: Cycle;
  request: Request | undefined;
  reader: Viewer;
}

/** Why a cycle is not paid, and when the stored card is tried again. */
function Problem({ subscription, cycle, request, reader }: ProblemProps) {
  const [t, declines] = [useTranslations("subscriptions"), useTranslations("declines")];
  if (cycle.paid_at !== null) return null;
  const { status, latest_payment_id: latest, next_charge_at: next } = subscription;
  const retryAt = status === "past_due" && latest === cycle.payment_id ? next : null;
  return (
    <>
      {cycle.is_missed && <span className={classes.failure}>{t("missed")}</span>}
      {request?.failure && <span className={classes.failure}>{failureText(declines, request.failure)}</span>}
      {retryAt !== null && (
        <span className={classes.failure}>{t.rich("retryAt", { at: () => <Instant at={retryAt} {...reader} /> })}</span>
      )}
    </>
  );
}
