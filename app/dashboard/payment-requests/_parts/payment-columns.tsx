// The columns of the list of payment requests: reason, customer, amount, status, dates and the link to send.
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { Viewer } from "@/app/_i18n/viewer";
import type { Outputs } from "@/app/_trpc/server";
import { CopyButton } from "@/app/_ui/copy-button";
import { CopyableId } from "@/app/_ui/copyable-id";
import type { Column } from "@/app/_ui/data-table";
import { Instant } from "@/app/_ui/instant";
import { RequestedAmount } from "@/app/_ui/requested-amount";
import { accountColumn } from "../../_parts/account-column";
import { hasExpiry } from "./overdue";
import classes from "./payment-columns.module.css";
import { PaymentStatus } from "./payment-status";

type Payment = Outputs["payments"]["list"]["data"][number];

/** Payment requests that can no longer be paid are dimmed. */
const over: readonly Payment["status"][] = ["expired", "canceled"];
export const isOver = ({ status }: Payment): boolean => over.includes(status);

interface Options {
  reader: Viewer;
  /** The names of accounts by id; null if all payment requests belong to one. */
  accounts: ReadonlyMap<string, string> | null;
}

/** The columns, in their order. */
export function usePaymentColumns({ reader, accounts }: Options): Column<Payment>[] {
  const t = useTranslations("payments");
  const type = useTranslations("newPayment.types");
  const none = <span data-none>{t("none")}</span>;
  return [
    {
      key: "for",
      label: t("for"),
      isLink: true,
      place: "title",
      cell: ({ description }) => <Clamped className={classes.purpose} text={description ?? t("noDescription")} />,
    },
    customerColumn(t("customer"), none),
    {
      key: "amount",
      label: t("amount"),
      align: "end",
      place: "amount",
      cell: (row) => <RequestedAmount {...row} locale={reader.locale} withCode chosen={t("amountChosen")} />,
    },
    {
      key: "status",
      label: t("status"),
      place: "detail",
      cell: (row) => <PaymentStatus payment={row} reader={reader} />,
    },
    {
      key: "due",
      label: t("due"),
      cell: ({ due_at }) => (due_at === null ? none : <Instant at={due_at} isDay {...reader} />),
    },
    {
      key: "created",
      label: t("created"),
      place: "detail",
      cell: (row) => <Instant at={row.created_at} isShort {...reader} />,
    },
    {
      key: "expires",
      label: t("expires"),
      cell: (row) => (hasExpiry(row) ? <Expiry payment={row} reader={reader} /> : none),
    },
    ...accountColumn<Payment>({ label: t("account"), accounts }),
    { key: "reference", label: t("reference"), cell: (row) => row.reference ?? t("none") },
    { key: "type", label: t("type"), cell: (row) => type(row.type) },
    { key: "id", label: t("id"), cell: (row) => <CopyableId id={row.payment_id} /> },
    {
      key: "link",
      label: t("link"),
      align: "end",
      isSticky: true,
      place: "action",
      cell: (row) => <CopyLink payment={row} />,
    },
  ];
}

/** Whom it asks; the list of invoices has this column too. */
export const customerColumn = (label: string, none: ReactNode): Column<Payment> => ({
  key: "customer",
  label,
  place: "text",
  cell: ({ customer }) => {
    const name = customer?.name ?? customer?.email;
    return name ? <Clamped className={classes.customer} text={name} /> : none;
  },
});

function Expiry({ payment: { expires_at: at }, reader }: { payment: Payment; reader: Viewer }) {
  const t = useTranslations("payments");
  return at === null ? t("never") : <Instant at={at} isDay {...reader} />;
}

function CopyLink({ payment: { payment_url: url, description, payment_id } }: { payment: Payment }) {
  const t = useTranslations("payments");
  const title = description ?? payment_id;
  // In a table, rows with and without a link have the same height.
  if (url === null) return <span data-none className={classes.noLink} />;
  return <CopyButton isBare text={url} label={t("copyLink")} fullLabel={t("copyLinkOf", { title })} />;
}

/** At most two lines of a text, with all of it as the tooltip. */
export function Clamped({ text, className }: { text: string; className: string | undefined }) {
  return (
    <span className={className} title={text}>
      {text}
    </span>
  );
}
