// The credit notes of an invoice, with their files; void ones say so.
import { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import { Instant } from "@/app/_ui/instant";
import { formatMoney } from "@/app/_ui/money-text";
import { Card } from "@/app/_ui/page-frame";
import type { Payment } from "./payment-parts";
import { paymentPath } from "./payment-path";
import classes from "./payment-transactions.module.css";

/** Renders nothing if there are none. */
export function CreditNotes({ payment, reader }: { payment: Payment; reader: Viewer }) {
  const t = useTranslations("creditNotes");
  const { payment_id: id, credit_notes: notes, currency } = payment;
  if (notes.length === 0) return null;
  return (
    <Card title={t("title")}>
      <ul className={classes.list}>
        {notes.map((note) => (
          <li key={note.credit_note_id} className={classes.row}>
            <span className={classes.what}>
              {note.pdf_problem === null ? (
                <a href={`${paymentPath(id)}/credit-notes/${note.credit_note_id}.pdf`} className={classes.link}>
                  {note.credit_note_number}
                </a>
              ) : (
                note.credit_note_number
              )}
              <span className={classes.how}>
                {t(`causes.${note.cause}`)}
                <Instant at={note.created_at} isShort {...reader} />
              </span>
            </span>
            <span>{note.voided_at !== null && t("void")}</span>
            <span className={classes.amount}>{formatMoney(note.amount, currency, reader.locale)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
