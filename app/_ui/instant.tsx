// A moment in the reader's own zone and spelling, with UTC at hand.
import classes from "./instant.module.css";

interface Props {
  /** ISO 8601. */
  at: string;
  /** Leaves the time of day to the hint, where there is little room. */
  isDay?: boolean;
  locale: string;
  timeZone: string;
}

export function Instant({ at, isDay = false, locale, timeZone }: Props) {
  const timeStyle = isDay ? undefined : "short";
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle, timeZone });
  return (
    <time dateTime={at} title={`${at.slice(0, 19).replace("T", " ")} UTC`} className={classes.instant}>
      {format.format(new Date(at))}
    </time>
  );
}
