// An instant in the reader's time zone and format, with UTC in the tooltip.

import classes from "./instant.module.css";
import { dateFormat, shortInstant } from "./instant-text";

interface Props {
  /** ISO 8601. */
  at: string;
  /** Shows the time of day only in the tooltip, where space is short. */
  isDay?: boolean;
  /** Leaves out what today's date tells, for columns; the tooltip has the full time. */
  isShort?: boolean;
  /** How far the organization's time is ahead of real time, in milliseconds: it decides what is today. */
  aheadMs?: number;
  locale: string;
  timeZone: string;
}

export function Instant({ at, isDay = false, isShort = false, aheadMs = 0, locale, timeZone }: Props) {
  const timeStyle = isDay ? undefined : "short";
  const instant = new Date(at);
  const full = dateFormat(locale, { dateStyle: "medium", timeStyle, timeZone }).format(instant);
  const utc = `${instant.toISOString().slice(0, 19).replace("T", " ")} UTC`;
  return (
    <time dateTime={at} title={isShort ? `${full} (${utc})` : utc} className={classes.instant}>
      {isShort ? shortInstant(instant, new Date(Date.now() + aheadMs), locale, timeZone) : full}
    </time>
  );
}
