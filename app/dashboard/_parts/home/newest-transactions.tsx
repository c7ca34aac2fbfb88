// The newest transactions that the reader sees, with a link to the others.
import { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import { Link } from "@/app/_ui/link";
import { Card } from "@/app/_ui/page-frame";
import type { Transaction } from "../../transactions/_parts/transaction-columns";
import { TransactionTable } from "../../transactions/_parts/transaction-table";
import classes from "./home.module.css";

interface Props {
  transactions: Transaction[];
  /** The names of the accounts of transfers, by id. */
  names: Readonly<Record<string, string>>;
  reader: Viewer;
}

export function NewestTransactions({ transactions, names, reader }: Props) {
  const t = useTranslations("home");
  return (
    <section aria-labelledby="newest" className={classes.newest}>
      <div className={classes.sectionHead}>
        <h2 id="newest" className={classes.sectionTitle}>
          {t("newest")}
        </h2>
        <Link href="/dashboard/transactions">{t("allTransactions")}</Link>
      </div>
      <Card padded={transactions.length === 0}>
        {transactions.length === 0 ? (
          <p className={classes.none}>{t("noTransactions")}</p>
        ) : (
          <TransactionTable transactions={transactions} names={names} reader={reader} />
        )}
      </Card>
    </section>
  );
}
