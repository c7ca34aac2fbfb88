// What a customer was asked for: the sums by currency, and the newest payment requests.
import { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import type { Outputs } from "@/app/_trpc/server";
import { ButtonLink } from "@/app/_ui/button-link";
import { DataTable } from "@/app/_ui/data-table";
import { Instant } from "@/app/_ui/instant";
import { Link } from "@/app/_ui/link";
import { Money } from "@/app/_ui/money";
import { Card } from "@/app/_ui/page-frame";
import { RequestedAmount } from "@/app/_ui/requested-amount";
import { PaymentStatus } from "../../payment-requests/_parts/payment-status";
import rows from "../../payment-requests/_parts/payment-transactions.module.css";
import classes from "./customer-view.module.css";

type Sum = Outputs["customers"]["activity"]["sums"][number];

interface SumsProps {
  sums: readonly Sum[];
  /** Whether they cover all of the customer's payment requests. */
  is_complete: boolean;
  locale: string;
}

/** Renders nothing for a customer without payment requests. */
export function CustomerSums({ sums, is_complete: isComplete, locale }: SumsProps) {
  const t = useTranslations("customers");
  if (sums.length === 0) return null;
  const isChargedBack = sums.some((sum) => sum.charged_back > 0);
  const parts = ["requested", "paid", "refunded", ...(isChargedBack ? (["charged_back"] as const) : [])] as const;
  return (
    <Card title={t("sums")}>
      <DataTable
        label={t("sums")}
        isPadded
        columns={[
          { key: "currency", label: t("currency"), cell: ({ currency }) => currency },
          { key: "count", label: t("count"), align: "end", cell: ({ count }) => count.toLocaleString(locale) },
          ...parts.map((part) => ({
            key: part,
            label: t(part),
            align: "end" as const,
            cell: (sum: Sum) => <Money amount={sum[part]} currency={sum.currency} locale={locale} />,
          })),
        ]}
        rows={[...sums]}
        rowKey={({ currency }) => currency}
      />
      {!isComplete && <p className={classes.none}>{t("sumsOfNewest")}</p>}
    </Card>
  );
}

interface PaymentsProps {
  customerId: string;
  page: Outputs["payments"]["list"];
  reader: Viewer;
}

export function CustomerPayments({ customerId, page: { data, has_more: hasMore }, reader }: PaymentsProps) {
  const t = useTranslations("customers");
  const all = (
    <ButtonLink href={`/dashboard/payment-requests?customer_id=${customerId}`} variant="outline">
      {t("allPaymentRequests")}
    </ButtonLink>
  );
  return (
    <Card title={t("paymentRequests")} action={hasMore && all}>
      {data.length === 0 && <p className={rows.none}>{t("noPaymentRequests")}</p>}
      <ul className={rows.list}>
        {data.map((row) => (
          <li key={row.payment_id} className={rows.row}>
            <span className={rows.what}>
              <Link href={`/dashboard/payment-requests/${row.payment_id}`} className={rows.link}>
                {row.description ?? row.reference ?? t("noDescription")}
              </Link>
              <span className={rows.how}>
                <Instant at={row.created_at} {...reader} />
              </span>
            </span>
            <PaymentStatus payment={row} reader={reader} />
            <span className={rows.amount}>
              <RequestedAmount
                amount={row.amount}
                currency={row.currency}
                locale={reader.locale}
                chosen={t("amountChosen")}
              />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
