// The actions that a payment request allows its reader in its current state.
import { useTranslations } from "next-intl";
import type { Viewer } from "@/app/_i18n/viewer";
import type { Outputs } from "@/app/_trpc/server";
import { ButtonLink } from "@/app/_ui/button-link";
import { methodOptions } from "../../transactions/_parts/offline-methods";
import { RefundDialog } from "../../transactions/_parts/refund-dialog";
import { refundableAmount, refundedPayment } from "../../transactions/_parts/refundable-amount";
import { ApplyCredit } from "./apply-credit";
import { CancelPayment } from "./cancel-payment";
import { CaptureDialog } from "./capture-dialog";
import { DuplicatePayment } from "./duplicate-payment";
import { ExtendPayment } from "./extend-payment";
import { MarkPaid } from "./mark-paid";
import type { Payment, Transaction } from "./payment-parts";
import { editPath } from "./payment-path";
import { SendMail } from "./send-mail";
import { SendReminder } from "./send-reminder";
import { SimulateEvent } from "./simulate-event";

interface Props {
  payment: Payment;
  acts: Outputs["payments"]["acts"];
  /** The payment request's title. */
  title: string;
  /** The payments that the reader may refund. */
  refundable: readonly Refundable[];
  /** Whether the reader may record payments received elsewhere. */
  mayRecord: boolean;
  /** Whether the reader may mail it to an address other than the customer's. */
  maySendElsewhere: boolean;
  /** The events of the sandbox provider that the reader may bring about. */
  events: Outputs["sandbox"]["events"]["events"];
  reader: Viewer;
}

export function PaymentActions({ payment, acts, title, refundable, maySendElsewhere, events, ...more }: Props) {
  const t = useTranslations("payment");
  const link = useTranslations("payLink");
  const { payment_id: id, payment_url: url, currency, amount_due: due } = payment;
  const customer = payment.customer?.email ?? null;
  const { mayRecord, reader } = more;
  const { locale } = reader;
  return (
    <>
      {acts.can_finalize && <ButtonLink href={editPath(id)}>{t("continueDraft")}</ButtonLink>}
      <CaptureDialog id={id} title={title} capturable={acts.capturable} currency={currency} locale={locale} />
      {acts.can_send && (customer !== null || maySendElsewhere) && (
        <SendMail id={id} title={title} customer={customer} mayChoose={maySendElsewhere} />
      )}
      {acts.can_send && acts.can_pay && customer !== null && <SendReminder id={id} title={title} customer={customer} />}
      {/* With several payments, each has its own button in the list. */}
      {refundable.length === 1 && refundable[0] && (
        <Refund {...refundable[0]} invoiceNumber={payment.invoice_number} locale={locale} />
      )}
      {url !== null && (
        <ButtonLink href={url} variant="outline" target="_blank" rel="noreferrer">
          {link("open")}
        </ButtonLink>
      )}
      {mayRecord && <Settle {...{ payment, acts, title, reader }} />}
      {acts.can_edit && (
        <ButtonLink href={editPath(id)} variant="outline">
          {t("edit")}
        </ButtonLink>
      )}
      {acts.can_duplicate && <DuplicatePayment id={id} />}
      {acts.can_extend && payment.expires_at !== null && (
        <ExtendPayment
          id={id}
          title={title}
          expiresAt={payment.expires_at}
          isExpired={payment.status === "expired"}
          timeZone={reader.timeZone}
        />
      )}
      {acts.can_cancel && (
        <CancelPayment
          id={id}
          title={title}
          held={payment.amount_capturable}
          paid={payment.amount_paid}
          due={due}
          currency={currency}
          locale={locale}
          isDraft={payment.status === "draft"}
          invoiceNumber={payment.invoice_number}
        />
      )}
      {events.length > 0 && <SimulateEvent id={id} title={title} events={events} />}
    </>
  );
}

/** What is left of the installment that is due next, in minor units. */
function nextPart({ installments }: Payment): number | undefined {
  const next = installments?.find(({ status }) => status !== "paid");
  return next && next.amount - next.amount_paid;
}

/** Records money that arrived elsewhere, or applies the customer's credit. */
function Settle({ payment, acts, title, reader }: Pick<Props, "payment" | "acts" | "title" | "reader">) {
  const method = useTranslations("transactions.methods");
  const { payment_id: id, currency, amount_due: due } = payment;
  const shared = { id, title, due, currency, locale: reader.locale };
  return (
    <>
      {acts.can_pay && (
        <MarkPaid
          {...shared}
          next={nextPart(payment) ?? due}
          mayCredit={acts.can_credit}
          timeZone={reader.timeZone}
          methods={methodOptions(method)}
        />
      )}
      {acts.applicable_credit > 0 && <ApplyCredit {...shared} most={acts.applicable_credit} />}
    </>
  );
}

export interface Refundable {
  transaction: Transaction;
  /** Minor units. */
  remaining: number;
}

/** The payments that can still be refunded. */
export function refundableOf(transactions: readonly Transaction[]): Refundable[] {
  const underWay = (id: string) =>
    transactions
      .filter((other) => other.parent_transaction_id === id && other.status === "pending")
      .reduce((sum, { amount }) => sum + amount, 0);
  return transactions
    .map((transaction) => ({
      transaction,
      remaining: refundableAmount(transaction, underWay(transaction.transaction_id)),
    }))
    .filter(({ remaining }) => remaining > 0);
}

/** The dialog that refunds one payment. */
export function Refund({ transaction, ...more }: Refundable & { invoiceNumber: string | null; locale: string }) {
  return <RefundDialog payment={refundedPayment(transaction)} {...more} />;
}
