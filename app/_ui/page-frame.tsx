// The building blocks of dashboard pages: heading with actions, card, empty state.
// <PageHead title={name} back={{ href: "/dashboard/accounts", label: t("title"), id }}
//   aside={<StatusBadge … />} action={<ButtonLink … />} />
import type { ReactNode } from "react";
import { BackLink } from "./back-link";
import classes from "./page-frame.module.css";

interface HeadProps {
  title: ReactNode;
  /** Below the title. */
  subtitle?: string | null;
  /** The list that contains this page's record; with the record's id, its row is marked there. */
  back?: { href: string; label: string; id?: string };
  /** Next to the title, such as a status. */
  aside?: ReactNode;
  /** One action, or several in PageActions. On phones the first is the primary one, unless it destroys. */
  action?: ReactNode;
  /** Whether the page's primary action is below the head. */
  hasPrimaryBelow?: boolean;
  /** Whether a list follows: on phones the heading then takes little room, and a NewLink is a plus sign. */
  isOverList?: boolean;
}

/** A title with more characters is smaller, and cut after two lines. */
const longTitle = 60;

export function PageHead({ title, subtitle, back, aside, action, hasPrimaryBelow, isOverList }: HeadProps) {
  const isLong = typeof title === "string" && title.length > longTitle;
  return (
    <div
      className={classes.top}
      data-over-list={isOverList || undefined}
      data-record={back !== undefined || undefined}
      data-quiet={hasPrimaryBelow || undefined}
    >
      {back && <BackLink {...back} />}
      <div className={classes.head}>
        <div className={classes.names}>
          <h1 className={classes.title} data-long={isLong || undefined} title={isLong ? title : undefined}>
            {title}
          </h1>
          {aside}
          {subtitle && <p className={classes.subtitle}>{subtitle}</p>}
        </div>
        {action && <div className={classes.actions}>{action}</div>}
      </div>
    </div>
  );
}

interface CardProps {
  children: ReactNode;
  padded?: boolean;
  /** The heading of the card; a card with one is padded. */
  title?: string;
  /** At the end of the heading. */
  action?: ReactNode;
}

export function Card({ children, title, action, padded = title !== undefined }: CardProps) {
  return (
    <section className={classes.card} data-padded={padded || undefined}>
      {title !== undefined && (
        <div className={classes.cardHead}>
          <h2 className={classes.cardTitle}>{title}</h2>
          {action}
        </div>
      )}
      {children}
    </section>
  );
}

interface EmptyProps {
  title: string;
  text: ReactNode;
  action?: ReactNode;
  /** `h1` where the message is the whole page. */
  heading?: "h1" | "h2";
}

export function EmptyState({ title, text, action, heading: Heading = "h2" }: EmptyProps) {
  return (
    <div className={classes.empty}>
      <Heading className={classes.emptyTitle}>{title}</Heading>
      <div className={classes.emptyText}>{text}</div>
      {action}
    </div>
  );
}
