// What was received, refunded and is due: a card for each currency, since amounts of two currencies never add up.
import { useFormatter, useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import type { Outputs } from "@/app/_trpc/server";
import { Link } from "@/app/_ui/link";
import { formatMoney } from "@/app/_ui/money-text";
import { Card } from "@/app/_ui/page-frame";
import { limits } from "@/server/kit/limits";
import { DayChart } from "./day-chart";
import classes from "./home.module.css";
import { movedAddress, openAddress, type Period } from "./home-address";

export type OverviewFigures = Outputs["overview"]["figures"];
export type CurrencyFigures = OverviewFigures["currencies"][number];

interface Props {
  figures: OverviewFigures;
  days: Period;
  reader: Viewer;
}

export function Figures({ figures, days, reader }: Props) {
  const t = useTranslations("home");
  const { currencies, is_complete, is_open_complete } = figures;
  if (currencies.length === 0) {
    return (
      <Card padded>
        <p className={classes.none}>{t("nothing", { days })}</p>
      </Card>
    );
  }
  return (
    <div className={classes.currencies}>
      <p className={classes.note}>{t("byRecording")}</p>
      {!is_complete && <p className={classes.note}>{t("incomplete")}</p>}
      {!is_open_complete && <p className={classes.note}>{t("openIncomplete")}</p>}
      {currencies.map((one, i) => (
        <CurrencyCard
          key={one.currency}
          one={one}
          figures={figures}
          days={days}
          reader={reader}
          hasChart={i < limits.overview.charts}
        />
      ))}
    </div>
  );
}

interface CardProps extends Props {
  one: CurrencyFigures;
  hasChart: boolean;
}

function CurrencyCard({ one, figures, days, reader, hasChart }: CardProps) {
  const t = useTranslations("home");
  const { currency, now, before, open } = one;
  const name = new Intl.DisplayNames(reader.locale, { type: "currency" }).of(currency);
  const shared = { currency, days, figures, locale: reader.locale };
  return (
    <section className={classes.currency} aria-labelledby={`figures-${currency}`}>
      <Card padded>
        <h2 id={`figures-${currency}`} className={classes.currencyTitle}>
          {currency} <span className={classes.currencyName}>{name}</span>
        </h2>
        <dl className={classes.figures}>
          <Moved {...shared} type="payment" now={now.received} before={before.received} />
          <Moved {...shared} type="refund" now={now.refunded} before={before.refunded} />
          <div className={classes.figure}>
            <dt>{t("open")}</dt>
            <dd className={classes.amount}>
              <Link href={openAddress(currency)}>{formatMoney(open.amount, currency, reader.locale)}</Link>
            </dd>
            <dd className={classes.detail}>{t("requests", { count: open.count })}</dd>
          </div>
        </dl>
        {hasChart && now.received.amount > 0 && <DayChart one={one} days={figures.days} reader={reader} />}
      </Card>
    </section>
  );
}

interface MovedProps {
  type: "payment" | "refund";
  currency: string;
  now: CurrencyFigures["open"];
  before: CurrencyFigures["open"];
  days: Period;
  figures: OverviewFigures;
  locale: string;
}

/** An amount of the period, and how it compares to the period before. */
function Moved({ type, currency, now, before, days, figures, locale }: MovedProps) {
  const t = useTranslations("home");
  const format = useFormatter();
  const isPayment = type === "payment";
  const change = (now.amount - before.amount) / before.amount;
  // A refund is neither good nor bad news, and neither is a change that is shown as 0 %.
  const trend = isPayment ? Math.sign(Math.round(change * 100)) : 0;
  // What is cut off is the oldest, so an incomplete sum says nothing about the period before.
  const isComparable = figures.is_complete;
  const percent = { style: "percent", signDisplay: "exceptZero", maximumFractionDigits: 0 } as const;
  return (
    <div className={classes.figure}>
      <dt>{t(isPayment ? "received" : "refunded")}</dt>
      <dd className={classes.amount}>
        <Link href={movedAddress(type, currency, figures.period)}>{formatMoney(now.amount, currency, locale)}</Link>
        {isComparable && before.amount > 0 && (
          <span className={classes.change} data-trend={trend}>
            {format.number(change, percent).replace("-", "\u2212")}
          </span>
        )}
      </dd>
      <dd className={classes.detail}>{t(isPayment ? "payments" : "refunds", { count: now.count })}</dd>
      {isComparable && (
        <dd className={classes.detail}>
          {before.amount === 0
            ? t("noneBefore", { days })
            : t.rich("before", {
                days,
                amount: formatMoney(before.amount, currency, locale),
                link: (text) => <Link href={movedAddress(type, currency, figures.before)}>{text}</Link>,
              })}
        </dd>
      )}
    </div>
  );
}
