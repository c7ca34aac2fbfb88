// The actions that a payment request allows its reader in its current state.
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { Viewer } from "@/app/_i18n/viewer";
import type { Outputs } from "@/app/_trpc/server";
import { ButtonLink } from "@/app/_ui/button-link";
import { PageActions } from "@/app/_ui/page-actions";
import { methodOptions } from "../../transactions/_parts/offline-methods";
import { RefundDialog } from "../../transactions/_parts/refund-dialog";
import { refundableAmount, refundedPayment } from "../../transactions/_parts/refundable-amount";
import { AcceptLate } from "./accept-late";
import { ApplyCredit } from "./apply-credit";
import { CancelPayment } from "./cancel-payment";
import { CaptureDialog } from "./capture-dialog";
import { DuplicatePayment } from "./duplicate-payment";
import { ExtendPayment } from "./extend-payment";
import { MarkPaid } from "./mark-paid";
import type { Payment, Transaction } from "./payment-parts";
import { editPath } from "./payment-path";
import { ReopenPayment } from "./reopen-payment";
import { SendMail } from "./send-mail";
import { SendReminder } from "./send-reminder";
import { SimulateEvent } from "./simulate-event";
import { WriteOff } from "./write-off";

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
  /** Whether a mail server is set up. */
  hasMail: boolean;
  /** The events of the sandbox provider that the reader may bring about. */
  events: Outputs["sandbox"]["events"]["events"];
  reader: Viewer;
}

export function PaymentActions(props: Props) {
  const { payment, acts, title, reader } = props;
  const { payment_id: id, currency } = payment;
  const most = { id, title, capturable: acts.capturable, currency, locale: reader.locale };
  return (
    // Stays when it has taken everything, to say so.
    <PageActions lead={{ action: <CaptureDialog {...most} />, isShown: acts.capturable > 0 }}>
      {useMoneyActs(props)}
      {useOtherActs(props)}
    </PageActions>
  );
}

/** What is likely next: what makes the customer pay, records that, or gives money back. */
function useMoneyActs({
  payment,
  acts,
  title,
  refundable,
  mayRecord,
  maySendElsewhere,
  hasMail,
  reader,
}: Props): ReactNode[] {
  const t = useTranslations("payment");
  const method = useTranslations("transactions.methods");
  const { payment_id: id, currency, amount_due: due } = payment;
  const { locale, timeZone } = reader;
  const customer = payment.customer?.email ?? null;
  const money = { id, title, due, currency, locale };
  return [
    acts.can_finalize && (
      <ButtonLink key="finalize" href={editPath(id)}>
        {t("continueDraft")}
      </ButtonLink>
    ),
    acts.can_send && (customer !== null || maySendElsewhere) && (
      <SendMail key="send" {...{ id, title, customer, hasMail }} mayChoose={maySendElsewhere} />
    ),
    acts.can_reopen && <ReopenPayment key="reopen" {...{ id, title, currency, locale }} lost={payment.amount_lost} />,
    acts.can_accept_late && <AcceptLate key="late" {...{ id, title }} />,
    mayRecord && acts.can_record && due > 0 && (
      <MarkPaid
        key="mark"
        {...money}
        next={nextPart(payment) ?? due}
        mayCredit={acts.can_credit}
        timeZone={timeZone}
        methods={methodOptions(method)}
      />
    ),
    // With several payments, each has its own button in the list.
    refundable.length === 1 && refundable[0] && (
      <Refund key="refund" {...refundable[0]} invoiceNumber={payment.invoice_number} locale={locale} />
    ),
    mayRecord && acts.applicable_credit > 0 && <ApplyCredit key="credit" {...money} most={acts.applicable_credit} />,
  ];
}

/** Everything else, what cannot be undone last. */
function useOtherActs({ payment, acts, title, hasMail, events, reader }: Props): ReactNode[] {
  const t = useTranslations("payment");
  const link = useTranslations("payLink");
  const { payment_id: id, payment_url: url, currency, amount_due: due, expires_at: expiresAt } = payment;
  const { locale, timeZone } = reader;
  const named = { id, title };
  const customer = payment.customer?.email ?? null;
  return [
    acts.can_edit && (
      <ButtonLink key="edit" href={editPath(id)} variant="outline">
        {t("edit")}
      </ButtonLink>
    ),
    acts.can_send && acts.can_pay && customer !== null && (
      <SendReminder key="remind" {...{ ...named, customer, hasMail }} />
    ),
    url !== null && (
      <ButtonLink key="open" href={url} variant="outline" target="_blank" rel="noreferrer">
        {link("open")}
      </ButtonLink>
    ),
    acts.can_extend && (
      <ExtendPayment key="extend" {...{ ...named, expiresAt, timeZone }} isExpired={payment.status === "expired"} />
    ),
    acts.can_duplicate && <DuplicatePayment key="duplicate" id={id} />,
    events.length > 0 && <SimulateEvent key="simulate" {...named} events={events} />,
    acts.can_write_off && (
      <WriteOff
        key="writeOff"
        {...{ ...named, currency, locale }}
        lost={payment.amount_lost}
        invoiceNumber={payment.invoice_number}
      />
    ),
    acts.can_cancel && (
      <CancelPayment
        key="cancel"
        {...{ ...named, due, currency, locale }}
        held={payment.amount_capturable}
        paid={payment.amount_paid}
        isDraft={payment.status === "draft"}
        invoiceNumber={payment.invoice_number}
      />
    ),
  ];
}

/** What is left of the installment that is due next, in minor units. */
function nextPart({ installments }: Payment): number | undefined {
  const next = installments?.find(({ status }) => status !== "paid");
  return next && next.amount - next.amount_paid;
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
