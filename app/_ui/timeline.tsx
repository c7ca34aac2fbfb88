// The history of a record, in the given order:
// <Timeline label={t("history")} events={[{ key, at, title, tone: "positive" }]} {...reader} />
import type { ReactNode } from "react";
import { Instant } from "./instant";
import classes from "./timeline.module.css";

export interface TimelineEvent {
  key: string;
  /** ISO 8601. */
  at: string;
  title: ReactNode;
  /** More detail, below the title. */
  text?: ReactNode;
  tone?: "positive" | "waiting" | "negative";
}

interface Props {
  /** Names the list for screen readers. */
  label: string;
  events: readonly TimelineEvent[];
  locale: string;
  timeZone: string;
}

export function Timeline({ label, events, locale, timeZone }: Props) {
  return (
    <ol aria-label={label} className={classes.list}>
      {events.map(({ key, at, title, text, tone }) => (
        <li key={key} className={classes.event} data-tone={tone}>
          <span className={classes.title}>{title}</span>
          {text && <span className={classes.text}>{text}</span>}
          <span className={classes.at}>
            <Instant at={at} locale={locale} timeZone={timeZone} />
          </span>
        </li>
      ))}
    </ol>
  );
}
