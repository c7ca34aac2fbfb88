// The head of a transaction's page: amount, status, date and actions.
import { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import type { Outputs } from "@/app/_trpc/server";
import { CopyableId } from "@/app/_ui/copyable-id";
import { Instant } from "@/app/_ui/instant";
import { PageHead } from "@/app/_ui/page-frame";
import { StatusBadge } from "@/app/_ui/status-badge";
import { TabLinks } from "@/app/_ui/tab-links";
import { formatMoney } from "@/server/kit/currency";
import { movedAmount } from "./amounts";
import { EffectiveDay } from "./effective-day";
import { listPath, transactionPath } from "./list-shape";
import { RefundDialog } from "./refund-dialog";
import { refundedPayment } from "./refundable-amount";
import type { TransactionContext } from "./transaction-context";
import classes from "./transaction-head.module.css";

interface Props {
  transaction: Outputs["transactions"]["get"];
  context: TransactionContext;
  reader: Viewer;
  view: "overview" | "json";
}

export function TransactionHead({ transaction, context: { refund }, reader, view }: Props) {
  const t = useTranslations("transaction");
  const { transaction_id: id, type, currency, status } = transaction;
  const path = transactionPath(id);
  return (
    <>
      <PageHead
        title={t(`headline.${type}`, { amount: formatMoney(movedAmount(transaction), currency, reader.locale) })}
        back={{ href: listPath, label: t("back"), id }}
        aside={<StatusBadge status={status} />}
        action={
          refund.mayRefund && (
            <RefundDialog payment={refundedPayment(transaction)} remaining={refund.remaining} locale={reader.locale} />
          )
        }
      />
      <p className={classes.facts}>
        <Instant at={transaction.created_at} {...reader} />
        <EffectiveDay transaction={transaction} reader={reader} />
        <CopyableId id={id} />
      </p>
      <TabLinks
        label={t("views")}
        tabs={[
          { href: path, label: t("overview"), isCurrent: view === "overview" },
          { href: `${path}?view=json`, label: t("json"), isCurrent: view === "json" },
        ]}
      />
    </>
  );
}
