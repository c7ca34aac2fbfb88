// What was received, refunded and requested, and what is due: a card for each currency, since amounts of two currencies
// never add up.
import { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import type { Outputs } from "@/app/_trpc/server";
import { Link } from "@/app/_ui/link";
import { formatMoney } from "@/app/_ui/money-text";
import { Card } from "@/app/_ui/page-frame";
import { limits } from "@/server/kit/limits";
import { changeText } from "./change-text";
import { DayChart } from "./day-chart";
import classes from "./home.module.css";
import { disputedAddress, movedAddress, openAddress, type Period, requestedAddress, type Span } from "./home-address";

export type OverviewFigures = Outputs["overview"]["figures"];
export type CurrencyFigures = OverviewFigures["currencies"][number];

const inSight = limits.overview.currencies;

/** The list of what a figure adds up. */
const addressOf = {
  received: (currency: string, span: Span) => movedAddress("payment", currency, span),
  refunded: (currency: string, span: Span) => movedAddress("refund", currency, span),
  disputed: disputedAddress,
  requested: requestedAddress,
};

interface Props {
  figures: OverviewFigures;
  days: Period;
  reader: Viewer;
}

export function Figures({ figures, days, reader }: Props) {
  const t = useTranslations("home");
  const { currencies, is_complete, is_open_complete, is_requested_complete } = figures;
  if (currencies.length === 0) {
    return (
      <Card padded>
        <p className={classes.none}>{t("nothing", { days })}</p>
      </Card>
    );
  }
  const card = (one: CurrencyFigures) => (
    <CurrencyCard key={one.currency} one={one} figures={figures} days={days} reader={reader} />
  );
  const [shown, others] = [currencies.slice(0, inSight), currencies.slice(inSight)];
  return (
    <div className={classes.currencies}>
      <p className={classes.note}>{t("byRecording")}</p>
      {!is_complete && <p className={classes.note}>{t("incomplete")}</p>}
      {!is_open_complete && <p className={classes.note}>{t("openIncomplete")}</p>}
      {!is_requested_complete && <p className={classes.note}>{t("requestedIncomplete")}</p>}
      {shown.map(card)}
      {others.length > 0 && (
        <details className={classes.others}>
          <summary className={classes.more}>{t("moreCurrencies", { count: others.length })}</summary>
          <div className={classes.currencies}>{others.map(card)}</div>
        </details>
      )}
    </div>
  );
}

function CurrencyCard({ one, figures, days, reader }: Props & { one: CurrencyFigures }) {
  const t = useTranslations("home");
  const { currency, now, open } = one;
  const name = new Intl.DisplayNames(reader.locale, { type: "currency" }).of(currency);
  const shared = { one, days, figures, locale: reader.locale };
  return (
    <section className={classes.currency} aria-labelledby={`figures-${currency}`}>
      <Card padded>
        <h2 id={`figures-${currency}`} className={classes.currencyTitle}>
          {currency} <span className={classes.currencyName}>{name}</span>
        </h2>
        <dl className={classes.figures}>
          <Compared {...shared} kind="received" />
          <Compared {...shared} kind="refunded" />
          {(now.disputed.count > 0 || one.before.disputed.count > 0) && <Compared {...shared} kind="disputed" />}
          <Compared {...shared} kind="requested" />
          <div className={classes.figure}>
            <dt>{t("open")}</dt>
            <dd className={classes.amount}>
              <Link href={openAddress(currency)}>{formatMoney(open.amount, currency, reader.locale)}</Link>
            </dd>
            <dd className={classes.detail}>{t("requests", { count: open.count })}</dd>
          </div>
        </dl>
        {now.received.amount > 0 && <DayChart one={one} days={figures.days} reader={reader} />}
      </Card>
    </section>
  );
}

interface ComparedProps {
  kind: keyof CurrencyFigures["now"];
  one: CurrencyFigures;
  days: Period;
  figures: OverviewFigures;
  locale: string;
}

/** An amount of the period, and how it compares to the period before. */
function Compared({ kind, one, days, figures, locale }: ComparedProps) {
  const t = useTranslations("home");
  const { currency } = one;
  const [now, before] = [one.now[kind], one.before[kind]];
  const money = (amount: number) => formatMoney(amount, currency, locale);
  const addressIn = addressOf[kind];
  const change = (now.amount - before.amount) / before.amount;
  // Only a change of what was received is good or bad news. A change that is shown as 0 % is neither.
  const trend = kind === "received" ? Math.sign(Math.round(change * 100)) : 0;
  // What is cut off is the oldest, so an incomplete sum says nothing about the period before.
  const isComparable = kind === "requested" ? figures.is_requested_complete : figures.is_complete;
  return (
    <div className={classes.figure}>
      <dt>{t(kind)}</dt>
      <dd className={classes.amount}>
        <Link href={addressIn(currency, figures.period)}>{money(now.amount)}</Link>
        {isComparable && before.amount > 0 && (
          <span className={classes.change} data-trend={trend}>
            {changeText(change, locale)}
          </span>
        )}
      </dd>
      <dd className={classes.detail}>{t(`${kind}Count`, { count: now.count })}</dd>
      {isComparable && (
        <dd className={classes.detail}>
          {before.amount === 0
            ? t("noneBefore", { days })
            : t.rich("before", {
                days,
                amount: money(before.amount),
                link: (text) => <Link href={addressIn(currency, figures.before)}>{text}</Link>,
              })}
        </dd>
      )}
    </div>
  );
}
