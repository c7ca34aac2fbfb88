// The details of a transaction, in cards.

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { Viewer } from "@/app/_i18n/viewer";
import type { Outputs } from "@/app/_trpc/server";
import { DetailList } from "@/app/_ui/detail-list";
import { Instant } from "@/app/_ui/instant";
import { Link } from "@/app/_ui/link";
import { Card } from "@/app/_ui/page-frame";
import { failureText } from "../../_parts/failure-text";
import { History } from "../../_parts/history";
import { usePaymentMethod } from "./payment-method";
import { TransactionAmounts } from "./transaction-amounts";
import type { TransactionContext } from "./transaction-context";
import { TransactionLedger } from "./transaction-ledger";
import { TransactionLinks } from "./transaction-links";
import classes from "./transaction-overview.module.css";

interface Props {
  transaction: Outputs["transactions"]["get"];
  context: TransactionContext;
  reader: Viewer;
}

export function TransactionOverview({ transaction, context, reader }: Props) {
  const [t, declines] = [useTranslations("transaction"), useTranslations("declines")];
  const { customer, metadata, failure } = transaction;
  return (
    <div className={classes.page}>
      <div className={classes.amounts}>
        <TransactionAmounts transaction={transaction} underWay={context.refund.underWay} reader={reader} />
      </div>
      <div className={classes.main}>
        {failure && (
          <p className={classes.failure}>
            <strong>{failureText(declines, failure)}</strong> <code>{failure.code}</code>
          </p>
        )}
        <Details transaction={transaction} names={context.names} reader={reader} />
        {customer && <Customer customer={customer} id={transaction.customer_id} />}
        <TransactionLinks transaction={transaction} context={context} reader={reader} />
        <TransactionLedger journals={context.journals} names={context.names} reader={reader} />
        <Entries title={t("metadata")} entries={metadata} />
      </div>
      <div className={classes.history}>
        <History objectId={transaction.transaction_id} reader={reader} />
      </div>
    </div>
  );
}

function Details({
  transaction,
  names,
  reader,
}: Pick<Props, "transaction" | "reader"> & Pick<TransactionContext, "names">) {
  const t = useTranslations("transaction");
  const type = useTranslations("transactionType");
  const reasons = useTranslations("transactionReason");
  const methodOf = usePaymentMethod();
  const { account_id, destination_account_id, created_at, effective_at, settled_at, reason } = transaction;
  const account = (id: string) => <AccountLink id={id} name={names[id]} />;
  const at = (instant: string) => <Instant at={instant} {...reader} />;
  const knownReason = reason as "other" | null;
  /** Whether the reason is the note of a recorded payment. */
  const isNote = transaction.type === "payment";
  const { status } = transaction;
  const hasMovedNothing = status === "failed" || status === "canceled" || status === "expired";
  const endLabel = hasMovedNothing ? t(`settledAs.${status}`) : t("settled");
  return (
    <Card title={t("details")}>
      <DetailList
        items={[
          { label: t("type"), value: type(transaction.type) },
          { label: t(destination_account_id === null ? "account" : "source"), value: account(account_id) },
          { label: t("destination"), value: destination_account_id && account(destination_account_id) },
          { label: t("description"), value: transaction.description },
          { label: t("reference"), value: transaction.reference },
          { label: t("method"), value: methodOf(transaction) },
          { label: t("provider"), value: transaction.provider },
          { label: t("providerReference"), value: codeOf(transaction.provider_reference) },
          isNote
            ? { label: t("note"), value: reason }
            : { label: t("reason"), value: knownReason && (reasons.has(knownReason) ? reasons(knownReason) : reason) },
          { label: t("effective"), value: effective_at !== created_at && at(effective_at) },
          { label: endLabel, value: settled_at && at(settled_at) },
        ]}
      />
    </Card>
  );
}

const codeOf = (text: string | null): ReactNode => text && <code className={classes.code}>{text}</code>;

/** An account that the reader may not see has no name and no page. */
function AccountLink({ id, name }: { id: string; name: string | undefined }) {
  if (name === undefined) return codeOf(id);
  return <Link href={`/dashboard/accounts/${id}`}>{name}</Link>;
}

interface CustomerProps {
  customer: NonNullable<Props["transaction"]["customer"]>;
  id: string | null;
}

function Customer({ customer, id }: CustomerProps) {
  const t = useTranslations("transaction");
  const items = [
    { label: t("customerName"), value: customer.name },
    { label: t("customerEmail"), value: customer.email },
    { label: t("customerReference"), value: customer.reference },
    ...entriesOf(customer.metadata),
  ];
  const link = id !== null && <Link href={`/dashboard/customers/${id}`}>{t("openCustomer")}</Link>;
  return (
    <Card title={t("customer")} action={link}>
      {items.some(({ value }) => value !== null) ? <DetailList items={items} /> : <p>{t("erasedCustomer")}</p>}
    </Card>
  );
}

const entriesOf = (entries: Readonly<Record<string, string>>) =>
  Object.entries(entries).map(([label, value]) => ({ label, value }));

function Entries({ title, entries }: { title: string; entries: Readonly<Record<string, string>> }) {
  const items = entriesOf(entries);
  if (items.length === 0) return null;
  return (
    <Card title={title}>
      <DetailList items={items} />
    </Card>
  );
}
