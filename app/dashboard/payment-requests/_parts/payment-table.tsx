// Payment requests as rows: when, what for and for whom, how it stands, how much, and the link to send.
import { IconExternalLink } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import type { Outputs } from "@/app/_trpc/server";
import { CopyButton } from "@/app/_ui/copy-button";
import { type Column, DataTable } from "@/app/_ui/data-table";
import { Instant } from "@/app/_ui/instant";
import { Money } from "@/app/_ui/money";
import { StatusBadge } from "@/app/_ui/status-badge";
import classes from "./payment-table.module.css";

type Payment = Outputs["payments"]["list"]["data"][number];

/** Requests that nobody will pay any more stand back. */
const over: readonly Payment["status"][] = ["expired", "canceled"];

export function PaymentTable({ payments, reader }: { payments: readonly Payment[]; reader: Viewer }) {
  const t = useTranslations("payments");
  const hasCurrencies = new Set(payments.map(({ currency }) => currency)).size > 1;
  const columns: Column<Payment>[] = [
    { key: "created", label: t("created"), cell: (row) => <Instant at={row.created_at} {...reader} /> },
    { key: "for", label: t("for"), cell: (row) => <Purpose payment={row} /> },
    { key: "status", label: t("status"), cell: (row) => <StatusBadge status={row.status} /> },
    {
      key: "expires",
      label: t("expires"),
      cell: (row) => (row.expires_at === null ? t("never") : <Instant at={row.expires_at} {...reader} />),
    },
    {
      key: "amount",
      label: t("amount"),
      align: "end",
      cell: (row) => <Money {...row} locale={reader.locale} withCode={hasCurrencies} />,
    },
    { key: "link", label: t("link"), align: "end", cell: (row) => <LinkActions payment={row} /> },
  ];
  return (
    <DataTable
      label={t("title")}
      columns={columns}
      rows={payments}
      rowKey={(row) => row.payment_id}
      isDimmed={(row) => over.includes(row.status)}
    />
  );
}

function Purpose({ payment }: { payment: Payment }) {
  const t = useTranslations("payments");
  const customer = payment.customer?.name ?? payment.customer?.email;
  return (
    <>
      <span className={classes.purpose}>{payment.description ?? t("noDescription")}</span>
      {customer && <span className={classes.customer}>{customer}</span>}
    </>
  );
}

function LinkActions({ payment }: { payment: Payment }) {
  const t = useTranslations("payments");
  const { payment_url: url } = payment;
  if (url === null) return null;
  const title = payment.description ?? payment.payment_id;
  return (
    <span className={classes.actions}>
      <CopyButton text={url} label={t("copyLink")} fullLabel={t("copyLinkOf", { title })} />
      <a href={url} target="_blank" rel="noreferrer" className={classes.open} aria-label={t("openPage", { title })}>
        <IconExternalLink size={18} aria-hidden />
      </a>
    </span>
  );
}
