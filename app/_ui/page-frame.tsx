// The parts that pages of the dashboard are put together from: heading with its action, card, message for an empty place.
import type { ReactNode } from "react";
import classes from "./page-frame.module.css";

export function PageHead({ title, action }: { title: string; action?: ReactNode }) {
  return (
    <div className={classes.head}>
      <h1 className={classes.title}>{title}</h1>
      {action}
    </div>
  );
}

export function Card({ children, padded = false }: { children: ReactNode; padded?: boolean }) {
  return (
    <div className={classes.card} data-padded={padded || undefined}>
      {children}
    </div>
  );
}

interface EmptyProps {
  title: string;
  text: string;
  action?: ReactNode;
  /** `h1` where the message is the whole page. */
  heading?: "h1" | "h2";
}

export function EmptyState({ title, text, action, heading: Heading = "h2" }: EmptyProps) {
  return (
    <div className={classes.empty}>
      <Heading className={classes.emptyTitle}>{title}</Heading>
      <p className={classes.emptyText}>{text}</p>
      {action}
    </div>
  );
}
