// The columns of the list of invoices: number, customer, amount, status, dates, what was credited, and the file.
import { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import type { Outputs } from "@/app/_trpc/server";
import { CopyableId } from "@/app/_ui/copyable-id";
import type { Column } from "@/app/_ui/data-table";
import { Instant } from "@/app/_ui/instant";
import { Money } from "@/app/_ui/money";
import { RequestedAmount } from "@/app/_ui/requested-amount";
import { accountColumn } from "../../_parts/account-column";
import { Clamped, customerColumn } from "../../payment-requests/_parts/payment-columns";
import classes from "../../payment-requests/_parts/payment-columns.module.css";
import { invoicePdfPath } from "../../payment-requests/_parts/payment-path";
import { PaymentStatus } from "../../payment-requests/_parts/payment-status";
import own from "./invoice-columns.module.css";

type Invoice = Outputs["payments"]["list"]["data"][number];

interface Options {
  reader: Viewer;
  /** The names of accounts by id; null if all invoices belong to one. */
  accounts: ReadonlyMap<string, string> | null;
}

/** The columns, in their order. */
export function useInvoiceColumns({ reader, accounts }: Options): Column<Invoice>[] {
  const t = useTranslations("invoices");
  const none = <span data-none>{t("none")}</span>;
  return [
    {
      key: "number",
      label: t("number"),
      isLink: true,
      place: "text",
      cell: (row) => <InvoiceNumber row={row} />,
    },
    // On phones, the name is what a row is found by, and needs the room of the first line.
    { ...customerColumn(t("customer"), t("none")), place: "title" },
    {
      key: "amount",
      label: t("amount"),
      align: "end",
      place: "amount",
      cell: (row) => <RequestedAmount {...row} locale={reader.locale} withCode chosen="" />,
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
      place: "spare",
      cell: ({ due_at }) => (due_at === null ? none : <Instant at={due_at} isDay {...reader} />),
    },
    {
      key: "credited",
      label: t("credited"),
      align: "end",
      cell: (row) => <Credited row={row} locale={reader.locale} />,
    },
    { key: "issued", label: t("issued"), cell: (row) => <Issued row={row} reader={reader} /> },
    ...accountColumn<Invoice>({ label: t("account"), accounts }),
    {
      key: "for",
      label: t("for"),
      cell: ({ description }) => (description ? <Clamped className={classes.purpose} text={description} /> : none),
    },
    { key: "id", label: t("id"), cell: (row) => <CopyableId id={row.payment_id} /> },
    {
      key: "paper",
      label: t("paper"),
      align: "end",
      isSticky: true,
      place: "page",
      cell: (row) => <Paper row={row} />,
    },
  ];
}

function InvoiceNumber({ row: { invoice_number: number } }: { row: Invoice }) {
  const t = useTranslations("invoices");
  return <span className={own.number}>{number ?? t("noNumber")}</span>;
}

/** The issue date, which is a day of the calendar. */
function Issued({ row: { invoice, invoice_number: number }, reader }: { row: Invoice; reader: Viewer }) {
  const t = useTranslations("invoices");
  if (number === null || !invoice?.issue_date) return <span data-none>{t("none")}</span>;
  return <Instant at={`${invoice.issue_date}T12:00:00Z`} isDay {...reader} timeZone="UTC" />;
}

/** What the credit notes that are not void add up to. */
function Credited({ row, locale }: { row: Invoice; locale: string }) {
  const t = useTranslations("invoices");
  const valid = row.credit_notes.filter(({ voided_at }) => voided_at === null);
  if (valid.length === 0) return <span data-none>{t("none")}</span>;
  const amount = valid.reduce((sum, note) => sum + note.amount, 0);
  return <Money amount={-amount} currency={row.currency} locale={locale} withCode />;
}

function Paper({ row: { payment_id: id, invoice_number: number, pdf_problem: problem } }: { row: Invoice }) {
  const t = useTranslations("invoices");
  if (number === null || problem !== null) return null;
  return (
    <a href={invoicePdfPath(id)} className={own.paper} aria-label={t("download", { number })}>
      {t("pdf")}
    </a>
  );
}
