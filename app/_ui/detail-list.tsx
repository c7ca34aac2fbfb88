// The details of a record, as labels and values:
// <DetailList items={[{ label: t("created"), value: <Instant … /> }]} />
import type { ReactNode } from "react";
import classes from "./detail-list.module.css";

export interface Detail {
  label: string;
  /** An item without a value is left out. */
  value: ReactNode;
}

/** Whether there is a value; zero is one. */
const isKnown = ({ value }: Detail) => value !== null && value !== undefined && value !== "" && value !== false;

/** Lets an e-mail address that does not fit break before its "@". */
export function breakable(value: ReactNode): ReactNode {
  const at = typeof value === "string" ? value.lastIndexOf("@") : -1;
  if (typeof value !== "string" || at < 1) return value;
  return (
    <>
      {value.slice(0, at)}
      <wbr />
      {value.slice(at)}
    </>
  );
}

/** A dimmed line below a value, which says more about it. */
export const DetailNote = ({ children }: { children: ReactNode }) => <span className={classes.note}>{children}</span>;

export function DetailList({ items }: { items: readonly Detail[] }) {
  const known = items.filter(isKnown);
  if (known.length === 0) return null;
  return (
    <dl className={classes.list}>
      {known.map(({ label, value }) => (
        <div key={label} className={classes.item}>
          <dt>{label}</dt>
          <dd>{breakable(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
