// An instant in the reader's time zone and format, with UTC in the tooltip.
import classes from "./instant.module.css";

interface Props {
  /** ISO 8601. */
  at: string;
  /** Shows the time of day only in the tooltip, where space is short. */
  isDay?: boolean;
  locale: string;
  timeZone: string;
}

export function Instant({ at, isDay = false, locale, timeZone }: Props) {
  const timeStyle = isDay ? undefined : "short";
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle, timeZone });
  return (
    <time
      dateTime={at}
      title={`${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`}
      className={classes.instant}
    >
      {format.format(new Date(at))}
    </time>
  );
}
