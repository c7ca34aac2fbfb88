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
  /** What else happened, below the title. */
  more?: readonly { key: string; text: ReactNode }[];
  /** Who acted; null if the reader may not know. */
  by?: string | null;
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
      {events.map(({ key, at, title, more = [], by, tone }) => (
        <li key={key} className={classes.event} data-tone={tone}>
          <span className={classes.title}>{title}</span>
          {more.map((line) => (
            <span key={line.key}>{line.text}</span>
          ))}
          <span className={classes.at}>
            {by && `${by} · `}
            <Instant at={at} locale={locale} timeZone={timeZone} />
          </span>
        </li>
      ))}
    </ol>
  );
}
