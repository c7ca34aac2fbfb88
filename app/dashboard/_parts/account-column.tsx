// The column of lists with records of several accounts.
import type { Column } from "@/app/_ui/data-table";
import classes from "./record-columns.module.css";

interface Given {
  label: string;
  /** The names of accounts by id; null if all records belong to one, which then need no column. */
  accounts: ReadonlyMap<string, string> | null;
  place?: "page";
}

/** The column, if there are several accounts. */
export const accountColumn = <Row extends { account_id: string }>({ accounts, ...column }: Given): Column<Row>[] =>
  accounts
    ? [{ ...column, key: "account", cell: ({ account_id: id }) => <AccountName name={accounts.get(id) ?? id} /> }]
    : [];

/** On one line, and cut where it is long. */
const AccountName = ({ name }: { name: string }) => (
  <span className={classes.account} title={name}>
    {name}
  </span>
);
