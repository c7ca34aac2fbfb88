// A transaction's postings on the ledger: journal by journal, debits next to credits.
import { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import type { Outputs } from "@/app/_trpc/server";
import { Instant } from "@/app/_ui/instant";
import { Money } from "@/app/_ui/money";
import { Card } from "@/app/_ui/page-frame";
import { roles } from "@/app/_ui/table-roles";
import classes from "./transaction-ledger.module.css";

type Journal = Outputs["transactions"]["postings"]["data"][number];
type Line = Journal["lines"][number];

interface Props {
  journals: readonly Journal[];
  /** The names of accounts that the reader may see, by id. */
  names: Readonly<Record<string, string>>;
  reader: Viewer;
}

export function TransactionLedger({ journals, names, reader }: Props) {
  const t = useTranslations("transaction");
  return (
    <Card title={t("ledger")}>
      {journals.length === 0 && <p className={classes.none}>{t("noJournals")}</p>}
      {journals.map((journal) => (
        <JournalTable key={journal.journal_id} journal={journal} names={names} reader={reader} />
      ))}
    </Card>
  );
}

function JournalTable({ journal, names, reader }: Omit<Props, "journals"> & { journal: Journal }) {
  const t = useTranslations("transaction");
  const nameOf = useLedgerAccountName();
  const event = t(`journals.${journal.event as "transfer_posted"}`);
  const money = (amount: number | null) =>
    amount !== null && <Money amount={amount} currency={journal.currency} locale={reader.locale} />;
  // Debits first, by convention; the ledger's own order means nothing to a reader.
  const lines = [...journal.lines].sort((a, b) => Number(a.side === "credit") - Number(b.side === "credit"));
  const cell = (label: string, amount: number | null) => (
    <td {...roles.cell} data-label={label} data-is-empty={amount === null || undefined}>
      {money(amount)}
    </td>
  );
  return (
    <section className={classes.journal}>
      <h3 className={classes.title}>
        {event}
        <span className={classes.at}>
          <Instant at={journal.created_at} {...reader} />
        </span>
      </h3>
      <table {...roles.table} aria-label={event} className={classes.table}>
        <thead {...roles.group}>
          <tr {...roles.row}>
            {(["ledgerAccount", "debit", "credit", "balanceAfter"] as const).map((key) => (
              <th key={key} {...roles.header} scope="col">
                {t(key)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...roles.group}>
          {lines.map((line) => (
            <tr key={`${line.account_id} ${line.ledger_account} ${line.side}`} {...roles.row}>
              <th {...roles.rowHeader} scope="row">
                {nameOf(line)}
                <span className={classes.owner}>
                  {line.account_id === null ? t("organization") : (names[line.account_id] ?? line.account_id)}
                </span>
              </th>
              {cell(t("debit"), line.side === "debit" ? line.amount : null)}
              {cell(t("credit"), line.side === "credit" ? line.amount : null)}
              {cell(t("balanceAfter"), line.balance_after)}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The purpose of a ledger account, in words. */
function useLedgerAccountName() {
  const t = useTranslations("transaction");
  return ({ ledger_account: name }: Line): string => {
    const provider = /^provider:(.+):clearing$/.exec(name)?.[1];
    if (provider) return t("ledgerAccounts.provider", { provider });
    if (name.startsWith("cust:")) return t("ledgerAccounts.customer");
    const key = `ledgerAccounts.${name.replaceAll(":", "_")}` as "ledgerAccounts.bank";
    return t.has(key) ? t(key) : name;
  };
}
