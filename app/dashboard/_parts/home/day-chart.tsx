// What was received on each day: bars drawn on the server, and the same numbers as a table.
import { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import { Link } from "@/app/_ui/link";
import { formatMoney } from "@/app/_ui/money-text";
import type { CurrencyFigures, OverviewFigures } from "./figures";
import classes from "./home.module.css";
import { disputedAddress, movedAddress } from "./home-address";

interface Props {
  one: CurrencyFigures;
  days: OverviewFigures["days"];
  reader: Viewer;
}

/** In units of the drawing, which stretches to the width of its place. */
const [step, gap, height, least] = [10, 2, 100, 1];

export function DayChart({ one, days, reader }: Props) {
  const t = useTranslations("home");
  const { currency } = one;
  const amounts = one.days.map(({ received }) => received);
  const most = Math.max(...amounts);
  const dates = new Intl.DateTimeFormat(reader.locale, {
    timeZone: reader.timeZone,
    day: "numeric",
    month: "short",
  });
  const dateOf = (index: number) => {
    const day = days.at(index);
    return day ? dates.format(new Date(day.from)) : "";
  };
  const money = (amount: number) => formatMoney(amount, currency, reader.locale);
  const summary = {
    currency,
    from: dateOf(0),
    to: dateOf(-1),
    day: dateOf(amounts.indexOf(most)),
    amount: money(most),
  };
  return (
    <div className={classes.chart}>
      <p className={classes.scale}>{t("most", { amount: money(most) })}</p>
      <svg
        role="img"
        aria-label={t("chartSummary", summary)}
        viewBox={`0 0 ${days.length * step} ${height}`}
        preserveAspectRatio="none"
        className={classes.drawing}
      >
        {amounts.map((amount, i) => {
          const bar = amount === 0 ? 0 : Math.max(least, (amount / most) * height);
          return (
            <rect
              key={days[i]?.day}
              x={i * step + gap / 2}
              y={height - bar}
              width={step - gap}
              height={bar}
              className={classes.bar}
            >
              <title>{`${dateOf(i)}: ${money(amount)}`}</title>
            </rect>
          );
        })}
      </svg>
      <p className={classes.axis} aria-hidden>
        <span>{dateOf(0)}</span>
        <span>{dateOf(-1)}</span>
      </p>
      <details className={classes.numbers}>
        <summary>{t("table")}</summary>
        <DayTable one={one} days={days} dateOf={dateOf} money={money} />
      </details>
    </div>
  );
}

interface TableProps extends Pick<Props, "one" | "days"> {
  dateOf(index: number): string;
  money(amount: number): string;
}

/** Only days on which money moved. */
function DayTable({ one, days, dateOf, money }: TableProps) {
  const t = useTranslations("home");
  const hasDisputes = one.days.some(({ disputed }) => disputed > 0);
  const rows = one.days.flatMap((moved, i) => {
    const day = days[i];
    return day && moved.received + moved.refunded + moved.disputed > 0 ? [{ day, moved, date: dateOf(i) }] : [];
  });
  return (
    <table className={classes.table} aria-label={t("chart", { currency: one.currency })}>
      <thead>
        <tr>
          <th scope="col">{t("day")}</th>
          <th scope="col">{t("received")}</th>
          <th scope="col">{t("refunded")}</th>
          {hasDisputes && <th scope="col">{t("disputed")}</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ day, moved, date }) => (
          <tr key={day.day}>
            <th scope="row">{date}</th>
            <td>
              <Link href={movedAddress("payment", one.currency, day)}>{money(moved.received)}</Link>
            </td>
            <td>
              <Link href={movedAddress("refund", one.currency, day)}>{money(moved.refunded)}</Link>
            </td>
            {hasDisputes && (
              <td>
                <Link href={disputedAddress(one.currency, day)}>{money(moved.disputed)}</Link>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
