// The columns of the list of payment requests: date, description, customer, status, amount and the link to send.
import { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import type { Outputs } from "@/app/_trpc/server";
import { CopyButton } from "@/app/_ui/copy-button";
import { CopyableId } from "@/app/_ui/copyable-id";
import type { Column } from "@/app/_ui/data-table";
import { Instant } from "@/app/_ui/instant";
import { Money } from "@/app/_ui/money";
import { StatusBadge } from "@/app/_ui/status-badge";
import classes from "./payment-columns.module.css";

type Payment = Outputs["payments"]["list"]["data"][number];

/** Payment requests that can no longer be paid are dimmed. */
const over: readonly Payment["status"][] = ["expired", "canceled"];
export const isOver = ({ status }: Payment): boolean => over.includes(status);

interface Options {
  reader: Viewer;
  hasCurrencies: boolean;
  /** The names of accounts by id; null if all payment requests belong to one. */
  accounts: ReadonlyMap<string, string> | null;
}

/** The columns, in their order. */
export function usePaymentColumns({ reader, hasCurrencies, accounts }: Options): Column<Payment>[] {
  const t = useTranslations("payments");
  const type = useTranslations("newPayment.types");
  const account: Column<Payment> = {
    key: "account",
    label: t("account"),
    cell: (row) => accounts?.get(row.account_id) ?? row.account_id,
  };
  return [
    { key: "created", label: t("created"), cell: (row) => <Instant at={row.created_at} {...reader} /> },
    {
      key: "for",
      label: t("for"),
      isLink: true,
      cell: (row) => <span className={classes.purpose}>{row.description ?? t("noDescription")}</span>,
    },
    {
      key: "customer",
      label: t("customer"),
      cell: (row) => <span className={classes.customer}>{row.customer?.name ?? row.customer?.email ?? t("none")}</span>,
    },
    ...(accounts ? [account] : []),
    { key: "reference", label: t("reference"), cell: (row) => row.reference ?? t("none") },
    { key: "type", label: t("type"), cell: (row) => type(row.type) },
    { key: "id", label: t("id"), cell: (row) => <CopyableId id={row.payment_id} /> },
    { key: "status", label: t("status"), cell: (row) => <StatusBadge status={row.status} /> },
    {
      key: "expires",
      label: t("expires"),
      cell: (row) => (row.expires_at === null ? t("never") : <Instant at={row.expires_at} isDay {...reader} />),
    },
    {
      key: "amount",
      label: t("amount"),
      align: "end",
      cell: (row) => <Money {...row} locale={reader.locale} withCode={hasCurrencies} />,
    },
    {
      key: "link",
      label: t("link"),
      align: "end",
      cell: ({ payment_url: url, description, payment_id }) =>
        url && (
          <CopyButton
            isBare
            text={url}
            label={t("copyLink")}
            fullLabel={t("copyLinkOf", { title: description ?? payment_id })}
          />
        ),
    },
  ];
}
