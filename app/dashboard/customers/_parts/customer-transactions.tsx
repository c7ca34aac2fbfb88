// The newest transactions of a customer, with and without a payment request.
import { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import type { Outputs } from "@/app/_trpc/server";
import { ButtonLink } from "@/app/_ui/button-link";
import { Instant } from "@/app/_ui/instant";
import { Link } from "@/app/_ui/link";
import { Money } from "@/app/_ui/money";
import { Card } from "@/app/_ui/page-frame";
import { StatusBadge } from "@/app/_ui/status-badge";
import rows from "../../payment-requests/_parts/payment-transactions.module.css";
import { signed } from "../../transactions/_parts/amounts";
import { transactionPath } from "../../transactions/_parts/list-shape";
import { usePaymentMethod } from "../../transactions/_parts/payment-method";

interface Props {
  customerId: string;
  transactions: Outputs["customers"]["activity"]["transactions"];
  reader: Viewer;
}

export function CustomerTransactions({ customerId, transactions, reader }: Props) {
  const t = useTranslations("customers");
  const type = useTranslations("transactionType");
  const methodOf = usePaymentMethod();
  const all = (
    <ButtonLink href={`/dashboard/transactions?customer_id=${customerId}`} variant="outline">
      {t("allTransactions")}
    </ButtonLink>
  );
  return (
    <Card title={t("transactions")} action={transactions.length > 0 && all}>
      {transactions.length === 0 && <p className={rows.none}>{t("noTransactions")}</p>}
      <ul className={rows.list}>
        {transactions.map((row) => {
          const method = methodOf(row);
          return (
            <li key={row.transaction_id} className={rows.row}>
              <span className={rows.what}>
                <Link href={transactionPath(row.transaction_id)} className={rows.link}>
                  {row.description ?? type(row.type)}
                </Link>
                <span className={rows.how}>
                  {row.description !== null && <span>{type(row.type)}</span>}
                  <Instant at={row.created_at} {...reader} />
                  {method !== null && <span>{method}</span>}
                </span>
              </span>
              <StatusBadge status={row.status} />
              <span className={rows.amount}>
                <Money amount={signed(row)} currency={row.currency} locale={reader.locale} />
              </span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
