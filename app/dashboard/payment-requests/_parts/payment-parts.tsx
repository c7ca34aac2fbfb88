// The parts of a payment request's page: amounts, details, customer, metadata.

import { useTranslations } from "next-intl";
import { languageName } from "@/app/_i18n/language-name";
import type { Viewer } from "@/app/_i18n/viewer";
import type { Outputs } from "@/app/_trpc/server";
import { CopyableId } from "@/app/_ui/copyable-id";
import { type Detail, DetailList } from "@/app/_ui/detail-list";
import { Instant } from "@/app/_ui/instant";
import { Link } from "@/app/_ui/link";
import { Money } from "@/app/_ui/money";
import { Card } from "@/app/_ui/page-frame";
import { RequestedAmount } from "@/app/_ui/requested-amount";
import { StatusBadge } from "@/app/_ui/status-badge";
import { failureText } from "../../_parts/failure-text";
import { type Subscription, subscriptionPath } from "../../subscriptions/_parts/subscription-path";
import { DisputeNotes } from "./dispute-notes";
import { hasExpiry } from "./overdue";
import classes from "./payment-parts.module.css";
import { invoicePdfPath, paymentPath } from "./payment-path";
import { PaymentStatus } from "./payment-status";

export type Payment = Outputs["payments"]["get"];
export type Transaction = Outputs["transactions"]["list"]["data"][number];

interface Props {
  payment: Payment;
  reader: Viewer;
}

interface HeadlineProps extends Props {
  /** Whether the customer can pay now; otherwise nothing is shown as due. */
  canPay: boolean;
}

/** The amount, the status, until when to capture it, and every other amount above zero, unless it says the same. */
export function PaymentHeadline({ payment, canPay, reader }: HeadlineProps) {
  const [t, declines] = [useTranslations("payment"), useTranslations("declines")];
  const money = (label: string, amount: number): Detail => ({
    label,
    value: amount > 0 && <Money amount={amount} currency={payment.currency} locale={reader.locale} />,
  });
  /** Nothing if it is the amount asked for, which is above. */
  const unlessAll = (amount: number) => (amount === payment.amount ? 0 : amount);
  const amounts = [
    money(t("paid"), payment.usage_limit === 1 ? unlessAll(payment.amount_paid) : 0),
    money(t("due"), canPay ? unlessAll(payment.amount_due) : 0),
    money(t("authorized"), payment.capture_method === "manual" ? payment.amount_authorized : 0),
    money(t("capturable"), payment.amount_capturable < payment.amount_authorized ? payment.amount_capturable : 0),
    money(t("released"), payment.amount_released),
    money(t("refunded"), payment.usage_limit === 1 ? payment.amount_refunded : 0),
    money(t("disputed"), payment.amount_disputed),
    money(t("amountReopened"), payment.amount_reopened),
    money(t("amountWrittenOff"), payment.amount_written_off),
    { label: t("writeOffReason"), value: payment.write_off_reason },
    money(t("overpaid"), payment.amount_overpaid),
    { label: t("lastError"), value: payment.last_error && failureText(declines, payment.last_error) },
  ];
  return (
    <Card padded>
      <div className={classes.headline}>
        <span className={classes.amount}>
          <RequestedAmount
            amount={payment.amount}
            currency={payment.currency}
            locale={reader.locale}
            chosen={t("amountChosen")}
          />
        </span>
        <PaymentStatus {...{ payment, reader }} />
      </div>
      {payment.amount_capturable > 0 && payment.capture_before !== null && (
        <p className={classes.lead}>
          {t.rich("captureBefore", { at: () => <Instant at={payment.capture_before ?? ""} {...reader} /> })}
        </p>
      )}
      <DisputeNotes payment={payment} reader={reader} />
      <DetailList items={amounts} />
    </Card>
  );
}

/** The heading may cut a longer description, so the details repeat it. */
const headLength = 80;

interface DetailsProps extends Props {
  /** The payment request's account; null if the reader has only one. */
  account: { id: string; name: string } | null;
  /** The subscription that it began or is a cycle of. */
  subscription: Subscription | null;
}

/** What the invoice says beside the amount, and its file. */
function invoiceDetails(payment: Payment, t: ReturnType<typeof useTranslations<"payment">>, locale: string): Detail[] {
  const { payment_id: id, invoice, invoice_number: number, pdf_problem: character } = payment;
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
  const day = (text: string | null | undefined) => (text ? format.format(Date.parse(text)) : null);
  const days = [day(invoice?.service_from), day(invoice?.service_to)].filter((text) => text !== null);
  return [
    { label: t("invoiceNumber"), value: number },
    {
      label: t("invoicePdf"),
      value: character
        ? t("pdfProblem", { character })
        : number && (
            <a href={invoicePdfPath(id)} className={classes.link}>
              {t("openInvoice")}
            </a>
          ),
    },
    { label: t("issueDate"), value: day(invoice?.issue_date) },
    { label: t("servicePeriod"), value: days.length > 0 && days.join(" – ") },
    { label: t("purchaseOrder"), value: invoice?.purchase_order },
    { label: t("invoiceNotes"), value: invoice?.notes },
    { label: t("invoiceTerms"), value: invoice?.terms },
  ];
}

export function PaymentDetails({ payment, account, subscription, reader }: DetailsProps) {
  const t = useTranslations("payment");
  const form = useTranslations("newPayment");
  const at = (instant: string | null) => instant !== null && <Instant at={instant} {...reader} />;
  const { locale } = payment;
  const items: Detail[] = [
    { label: t("id"), value: <CopyableId id={payment.payment_id} /> },
    {
      label: t("account"),
      value: account && (
        <Link href={`/dashboard/accounts/${account.id}`} className={classes.link}>
          {account.name}
        </Link>
      ),
    },
    {
      label: t("parent"),
      value: payment.parent_payment_id && (
        <Link href={paymentPath(payment.parent_payment_id)} className={classes.link}>
          {t("parentLink")}
        </Link>
      ),
    },
    { label: t("description"), value: (payment.description?.length ?? 0) > headLength && payment.description },
    { label: t("reference"), value: payment.reference },
    { label: t("type"), value: form(`types.${payment.type}`) },
    ...invoiceDetails(payment, t, reader.locale),
    { label: t("charged"), value: <Terms payment={payment} subscription={subscription} /> },
    {
      label: t("subscription"),
      value: subscription && (
        <span className={classes.statuses}>
          <Link href={subscriptionPath(subscription.subscription_id)} className={classes.link}>
            {t("openSubscription")}
          </Link>
          <StatusBadge status={subscription.status} />
        </span>
      ),
    },
    { label: t("capture"), value: payment.capture_method === "manual" && form("captures.manual") },
    { label: t("created"), value: at(payment.created_at) },
    { label: t("viewed"), value: at(payment.viewed_at) },
    { label: t("paidAt"), value: at(payment.paid_at) },
    { label: t("canceledAt"), value: at(payment.canceled_at) },
    { label: t("cancellationReason"), value: payment.cancellation_reason },
    { label: t("dueDate"), value: payment.due_at !== null && <Instant at={payment.due_at} isDay {...reader} /> },
    { label: t("expires"), value: hasExpiry(payment) && (at(payment.expires_at) || t("never")) },
    {
      label: t("language"),
      value: locale && languageName(locale, reader.language),
    },
    { label: t("returnUrl"), value: payment.success_url },
    { label: t("cancelUrl"), value: payment.cancel_url },
  ];
  return (
    <Card title={t("details")}>
      <DetailList items={items.filter(({ label }) => label !== t("charged") || payment.subscription !== null)} />
    </Card>
  );
}

/** How often it is charged. A trial concerns only the payment request that began it. */
function Terms({ payment, subscription: begun }: Pick<DetailsProps, "payment" | "subscription">) {
  const t = useTranslations("payment");
  const interval = useTranslations("pay.interval");
  const { subscription } = payment;
  if (subscription === null) return null;
  const isRenewal = begun !== null && begun.first_payment_id !== payment.payment_id;
  const { interval: unit, interval_count: count, cycles, trial_days: trial } = subscription;
  const parts = [
    interval(unit, { count }),
    cycles === null ? null : t("cycles", { count: cycles }),
    trial === null || isRenewal ? null : t(isTrial(payment) ? "trial" : "trialUnused", { count: trial }),
  ];
  return parts.filter((part) => part !== null).join(", ");
}

/** Whether a trial comes of it, or has: nothing of its amount is asked for. */
const isTrial = ({ status, amount_due: due, amount_paid: paid }: Payment): boolean =>
  status === "draft" || (due === 0 && paid === 0);

export function PaymentCustomer({ payment: { customer } }: { payment: Payment }) {
  const t = useTranslations("payment");
  const items = [
    { label: t("name"), value: customer?.name },
    { label: t("email"), value: customer?.email },
    { label: t("customerReference"), value: customer?.reference },
    ...Object.entries(customer?.metadata ?? {}).map(([label, value]) => ({ label, value })),
  ];
  const id = customer?.customer_id ?? null;
  return (
    <Card title={t("customer")} action={id !== null && <CustomerLink id={id} />}>
      {items.some(({ value }) => value != null) ? (
        <DetailList items={items} />
      ) : (
        <p className={classes.none}>{t(id === null ? "noCustomer" : "erasedCustomer")}</p>
      )}
    </Card>
  );
}

function CustomerLink({ id }: { id: string }) {
  const t = useTranslations("payment");
  return (
    <Link href={`/dashboard/customers/${id}`} className={classes.link}>
      {t("openCustomer")}
    </Link>
  );
}

export function PaymentMetadata({ payment: { metadata } }: { payment: Payment }) {
  const t = useTranslations("payment");
  const items = Object.entries(metadata).map(([label, value]) => ({ label, value }));
  if (items.length === 0) return null;
  return (
    <Card title={t("metadata")}>
      <DetailList items={items} />
    </Card>
  );
}
