// The receipt as a paper: the same facts as on its page.
import type { Receipt } from "@/server/domains/payments/operations/receipt";
import type { Reader } from "../reader";
import { cutText, headlineOf, movementName, stateText, statusOf, totalsOf } from "../receipt-facts";
import { lineSums } from "../summary";
import { type Column, type Paper, paperSizeOf, type Table } from "./paper";

/** The receipt, of at least one payment, with the logo as base64. */
export function receiptPaper(receipt: Receipt, reader: Reader, logo: string | null): Paper {
  const { t, instant, locale, money } = reader;
  const { account_name: name, reference, customer, refunds } = receipt;
  const lastAt = lastAtOf(receipt);
  const heading = t("receipt.title");
  return {
    language: locale,
    size: paperSizeOf(locale),
    title: t("title", { heading, account: name }),
    at: lastAt,
    heading,
    sender: { name, lines: [receipt.account_email], logo, color: receipt.brand_color },
    test: receipt.livemode ? null : `${t("test")} · ${t("testMeaning")}`,
    voided: null,
    amount: money(headlineOf(receipt), receipt.currency),
    state: stateText(receipt, statusOf(receipt), reader),
    description: receipt.description,
    facts: [
      { term: t("receipt.date"), value: instant(lastAt) },
      ...(customer === null ? [] : [{ term: t("receipt.for"), value: customer }]),
      ...(reference === null ? [] : [{ term: t("reference"), value: reference }]),
    ],
    tables: [
      ...(receipt.lines.length === 0 ? [] : [linesTable(receipt, reader)]),
      movementsTable("payment", receipt, reader),
      ...(refunds.length === 0 ? [] : [movementsTable("refund", receipt, reader)]),
    ],
    notes: receipt.is_cut ? [cutText(receipt, reader)] : [],
    pageOf: t("receipt.pageOf", { page: "{page}", pages: "{pages}" }),
  };
}

const lastAtOf = ({ payments, refunds }: Receipt): string =>
  [...payments, ...refunds].reduce((last, { at }) => (at > last ? at : last), "");

function linesTable(receipt: Receipt, reader: Reader): Table {
  const { t, money } = reader;
  const amountOf = (minorUnits: number) => money(minorUnits, receipt.currency);
  return {
    title: t("receipt.items"),
    columns: [
      { title: t("receipt.item"), share: 0.46 },
      { title: t("receipt.quantity"), share: 0.14, isNumber: true },
      { title: t("receipt.unitPrice"), share: 0.2, isNumber: true },
      amountColumn(t),
    ],
    rows: receipt.lines.map(({ name, quantity, unit, unit_amount, net_amount }) => {
      const discount = Number(BigInt(quantity) * BigInt(unit_amount) - BigInt(net_amount));
      const item = discount > 0 ? `${name}\n${t("discount", { amount: amountOf(-discount) })}` : name;
      return [item, reader.quantity(quantity, unit), amountOf(unit_amount), amountOf(net_amount)];
    }),
    sums: lineSums(receipt, reader),
  };
}

/** The payments or refunds; below the last table, the totals of both. */
function movementsTable(kind: "payment" | "refund", receipt: Receipt, reader: Reader): Table {
  const { t, money, instant } = reader;
  const { payments, refunds, currency } = receipt;
  const isLast = kind === "refund" || refunds.length === 0;
  return {
    title: t(kind === "payment" ? "receipt.payments" : "receipt.refunds"),
    columns: [
      { title: t("receipt.date"), share: 0.2 },
      { title: t("receipt.method"), share: 0.16 },
      // Wide enough for an id of wide letters: broken in two, it could not be copied.
      { title: t("receipt.transaction"), share: 0.44 },
      amountColumn(t),
    ],
    rows: (kind === "payment" ? payments : refunds).map(({ at, amount, transaction_id, ...method }) => {
      const signed = kind === "payment" ? amount : -amount;
      return [instant(at), movementName(method, kind, t), transaction_id, money(signed, currency)];
    }),
    sums: isLast ? totalsOf(receipt, reader) : [],
  };
}

const amountColumn = (t: Reader["t"]): Column => ({ title: t("receipt.amount"), share: 0.2, isNumber: true });
