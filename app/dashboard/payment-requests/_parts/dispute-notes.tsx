// What the disputes of a payment request ask of the merchant: <DisputeNotes payment={payment} reader={reader} />.
import { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import type { Outputs } from "@/app/_trpc/server";
import { formatMoney } from "@/app/_ui/money-text";
import classes from "./payment-parts.module.css";

interface Props {
  payment: Pick<Outputs["payments"]["get"], "dispute_status" | "amount_lost" | "currency" | "canceled_at">;
  reader: Viewer;
}

/** Asks for an answer to an open dispute, and for a decision about what was lost; says nothing once that is decided. */
export function DisputeNotes({ payment, reader }: Props) {
  const t = useTranslations("payment");
  const { amount_lost: lost, currency, canceled_at, dispute_status } = payment;
  const amount = formatMoney(lost, currency, reader.locale);
  return (
    <>
      {dispute_status === "open" && <p className={classes.lead}>{t("disputeOpen")}</p>}
      {lost > 0 && <p className={classes.lead}>{t("disputeLost", { amount, canAsk: `${canceled_at === null}` })}</p>}
    </>
  );
}
