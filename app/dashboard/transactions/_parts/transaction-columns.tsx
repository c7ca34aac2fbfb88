// The columns of lists of transactions.
import { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import type { Outputs } from "@/app/_trpc/server";
import type { Column } from "@/app/_ui/data-table";
import { Instant } from "@/app/_ui/instant";
import { Money } from "@/app/_ui/money";
import { StatusBadge } from "@/app/_ui/status-badge";
import { formatAmount } from "@/server/kit/currency";
import { Party } from "../../_parts/party";
import { isPartlyCaptured, signed } from "./amounts";
import { EffectiveDay } from "./effective-day";
import type { ColumnKey } from "./list-shape";
import { usePaymentMethod } from "./payment-method";
import classes from "./transaction-columns.module.css";

export type Transaction = Outputs["transactions"]["list"]["data"][number];

interface Props {
  reader: Viewer;
  /** The names of accounts, by id. */
  names: Readonly<Record<string, string>>;
}

/** The columns of the two lines on narrow screens. */
const places: Partial<Record<ColumnKey, Column<Transaction>["place"]>> = {
  customer: "title",
  amount: "amount",
  account: "page",
  method: "page",
  type: "detail",
  status: "detail",
  created: "detail",
};

/** The accounts of a transfer; null for all others, and where the reader may not know both. */
export function betweenAccounts(
  row: Pick<Transaction, "account_id" | "destination_account_id">,
  names: Props["names"],
): string | null {
  const [from, to] = [names[row.account_id], names[row.destination_account_id ?? ""]];
  return from === undefined || to === undefined ? null : `${from} → ${to}`;
}

/** Who paid or was paid, and what for. Where nobody is named, what says it best. */
export function linesOf(
  row: Pick<Transaction, "customer" | "description" | "reference" | "account_id" | "destination_account_id">,
  names: Props["names"],
): [who: string | null, what: string | null] {
  const who = row.customer?.name ?? row.customer?.email;
  return who === undefined || who === null
    ? [row.description ?? row.reference ?? betweenAccounts(row, names), null]
    : [who, row.description];
}

/** Where it is the title of a row, it says more. */
function Nobody() {
  const t = useTranslations("transactions");
  return (
    <span className={classes.nobody}>
      <span className={classes.wide}>{t("none")}</span>
      <span className={classes.narrow}>{t("noDescription")}</span>
    </span>
  );
}

/** Tells links of one name apart for screen readers. */
const About = ({ words }: { words: string | null }) => words && <span className="visually-hidden"> {words}</span>;

/** Every column, by its key. */
export function useTransactionColumns({ reader, names }: Props): Column<Transaction>[] {
  const t = useTranslations("transactions");
  const type = useTranslations("transactionType");
  const methodOf = usePaymentMethod();
  const money = (amount: number, currency: string) => (
    <Money amount={amount} currency={currency} locale={reader.locale} withCode />
  );
  const inWords = (amount: number, currency: string) => `${formatAmount(amount, currency, reader.locale)} ${currency}`;
  const code = (id: string | null) => id && <code className={classes.id}>{id}</code>;
  const text = (words: string | null) =>
    words && (
      <span className={classes.text} title={words}>
        {words}
      </span>
    );
  /** What was received, and of how much. */
  const captured = ({ amount, amount_captured, currency }: Transaction) => (
    <span className={classes.captured}>
      {money(amount_captured, currency)}
      <span className={classes.of}>{t("of", { amount: inWords(amount, currency) })}</span>
    </span>
  );
  const none = <span data-none>{t("none")}</span>;
  const cells: Record<ColumnKey, Column<Transaction>["cell"]> = {
    created: (row) => (
      <span className={classes.dates}>
        <Instant at={row.created_at} isShort {...reader} />
        <EffectiveDay transaction={row} reader={reader} />
      </span>
    ),
    type: (row) => (
      <>
        {type(row.type)}
        <About words={row.description ?? linesOf(row, names)[0]} />
      </>
    ),
    status: (row) => <StatusBadge status={row.status} />,
    account: (row) =>
      text(
        [row.account_id, row.destination_account_id]
          .flatMap((id) => (id === null ? [] : [names[id] ?? id]))
          .join(" → "),
      ),
    customer: (row) => {
      const [who, what] = linesOf(row, names);
      if (who === null) return <Nobody />;
      return what === null ? text(who) : <Party who={who} what={what} />;
    },
    reference: (row) => row.reference,
    description: (row) => row.description,
    method: (row) => methodOf(row),
    request: (row) => code(row.payment_id),
    id: (row) => code(row.transaction_id),
    fee: (row) => money(row.fee_amount, row.currency),
    net: (row) => money(row.net_amount, row.currency),
    refunded: (row) => money(row.amount_refunded, row.currency),
    amount: (row) => (isPartlyCaptured(row) ? captured(row) : money(signed(row), row.currency)),
  };
  const atEnd: readonly string[] = ["fee", "net", "refunded", "amount"];
  return (Object.keys(cells) as ColumnKey[]).map((key) => ({
    key,
    label: t(`columns.${key}`),
    ...(atEnd.includes(key) ? { align: "end" as const } : {}),
    place: places[key],
    // Whatever else a narrow window cuts, the amount stays in sight.
    ...(key === "amount" ? { isSticky: true } : {}),
    isLink: key === "type",
    cell: (row) => cells[key](row) || none,
  }));
}
