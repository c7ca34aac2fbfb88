// One payment request: status, link, amounts, attempts, and the actions that it allows.
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { viewer } from "@/app/_i18n/viewer";
import { userMay } from "@/app/_trpc/may";
import { api, type Outputs } from "@/app/_trpc/server";
import { requireUser } from "@/app/_trpc/session";
import { JsonBlock } from "@/app/_ui/json-block";
import { Card, PageHead } from "@/app/_ui/page-frame";
import { tabs } from "@/server/domains/payments/status-tabs";
import { limits } from "@/server/kit/limits";
import { runtime } from "@/server/process/runtime";
import { Dismiss } from "../../_parts/dismiss";
import { History } from "../../_parts/history";
import { BelongsTo } from "../../_parts/nav-place";
import { AllowCards } from "../_parts/allow-cards";
import { CreditNotes } from "../_parts/credit-notes";
import { LinkCard } from "../_parts/link-card";
import { LinkParts } from "../_parts/link-uses";
import { PaymentActions, refundableOf } from "../_parts/payment-actions";
import { PaymentLines } from "../_parts/payment-lines";
import { PaymentMails } from "../_parts/payment-mails";
import { eventsOf, headOf, paymentOf } from "../_parts/payment-page";
import { PaymentCustomer, PaymentDetails, PaymentHeadline, PaymentMetadata } from "../_parts/payment-parts";
import { listOf } from "../_parts/payment-path";
import { PaymentPlan } from "../_parts/payment-plan";
import { PaymentReminders } from "../_parts/payment-reminders";
import { PaymentTransactions } from "../_parts/payment-transactions";
import classes from "./page.module.css";

const list = "/dashboard/payment-requests";

type Params = Promise<{ payment_id: string }>;
type Search = Promise<{ created?: string | string[] }>;

export async function generateMetadata({ params }: { params: Params }): Promise<Metadata> {
  const [payment, t] = await Promise.all([paymentOf((await params).payment_id), getTranslations("payment")]);
  return { title: headOf(payment, t).title };
}

export default async function PaymentRequestPage({ params, searchParams }: { params: Params; searchParams: Search }) {
  const payment = await paymentOf((await params).payment_id);
  const [{ created }, { payment_id: id, account_id }] = [await searchParams, payment];
  const user = await requireUser(`${list}/${id}`);
  const [t, reader, caller, { env }] = await Promise.all([getTranslations("payment"), viewer(), api(), runtime()]);
  const { title, subtitle } = headOf(payment, t);
  const [acts, transactions, account, events, of] = await Promise.all([
    caller.payments.acts({ payment_id: id }),
    caller.transactions.list({ payment_id: id, limit: limits.page.max }),
    caller.accounts.get({ account_id }),
    eventsOf(user, id),
    isOfSubscription(payment) ? caller.subscriptions.ofPayment({ payment_id: id }) : null,
  ]);
  const refundable = userMay(user, "transactions.create.refund") ? refundableOf(transactions.data) : [];
  const named = userMay(user, "accounts.list") ? { id: account_id, name: account.account_name } : null;
  const { can_pay: canPay, can_ask: canAsk } = acts;
  const isNew = created !== undefined && userMay(user, "payments.create");
  const isOwnerless = !canAsk && account.owner_user_id === null && isOpen(payment);
  const card = { payment, account, isOwnerless, isNew: isNew && (canAsk || isOwnerless) };
  const link = <LinkCard {...card} canPay={canAsk} locale={reader.locale} />;
  return (
    <>
      {payment.type === "invoice" && <BelongsTo list={listOf(payment.type, t).href} />}
      <PageHead
        {...{ title, subtitle }}
        back={{ ...listOf(payment.type, t), id }}
        hasPrimaryBelow={card.isNew && !isOwnerless}
        action={
          <PaymentActions
            {...{ payment, acts, title, refundable, events, reader, hasMail: env.mail !== null }}
            maySendElsewhere={userMay(user, "mails.send.elsewhere")}
            mayRecord={userMay(user, "transactions.create.payment")}
          />
        }
      />
      <div className={classes.columns}>
        <div className={classes.column}>
          {isNew && (card.isNew ? link : isOpen(payment) && <Unpayable type={payment.type} />)}
          <Waiting payment={payment} acts={acts} />
          <PaymentHeadline payment={payment} canPay={canPay} reader={reader} />
          {canAsk && !isNew && link}
          <LinkParts payment={payment} canPause={acts.can_pause} reader={reader} />
          <PaymentLines payment={payment} reader={reader} />
          <PaymentPlan payment={payment} reader={reader} />
          {payment.usage_limit === 1 && (
            <PaymentTransactions
              paymentId={id}
              transactions={transactions.data}
              invoiceNumber={payment.invoice_number}
              hasMore={transactions.has_more}
              {...{ refundable, reader }}
            />
          )}
          <CreditNotes payment={payment} reader={reader} />
          <PaymentReminders payment={payment} reader={reader} />
          <PaymentMails paymentId={id} reader={reader} />
          <History objectId={id} reader={reader} />
        </div>
        <div className={classes.column}>
          <PaymentDetails payment={payment} subscription={of?.subscription ?? null} account={named} reader={reader} />
          <PaymentCustomer payment={payment} />
          <PaymentMetadata payment={payment} />
          {!canAsk && !card.isNew && link}
        </div>
        <Json label={t("json")} value={payment} />
      </div>
    </>
  );
}

interface WaitingProps {
  payment: Outputs["payments"]["get"];
  acts: Outputs["payments"]["acts"];
}

/** What waits for somebody of the account: cards that the page takes no more, and a request for a new link. */
async function Waiting({ payment: { payment_id: id, status }, acts }: WaitingProps) {
  const t = await getTranslations("payment");
  return (
    <>
      {acts.can_allow_cards && <CardsHeld id={id} text={t(status === "failed" ? "cardsClosed" : "cardsHeld")} />}
      {acts.can_dismiss && <LinkRequested id={id} text={t("linkRequested")} />}
    </>
  );
}

/** Whether it belongs to one subscription: a reusable link can begin several. */
const isOfSubscription = ({ type, usage_limit }: Outputs["payments"]["get"]): boolean =>
  type === "subscription" && usage_limit === 1;

const isOpen = ({ status }: Outputs["payments"]["get"]): boolean => (tabs.open as readonly string[]).includes(status);

/** That an open payment request was created, although its link takes no payment now. */
async function Unpayable({ type }: Pick<Outputs["payments"]["get"], "type">) {
  const t = await getTranslations("payment");
  return (
    <Card padded>
      <p role="status">{t(type === "invoice" ? "issuedUnpayable" : "createdUnpayable")}</p>
    </Card>
  );
}

/** That the customer asked for a new link, with a button that says that this is done. */
const LinkRequested = ({ id, text }: { id: string; text: string }) => (
  <Card padded>
    <p>{text}</p>
    <Dismiss of="linkRequest" id={id} />
  </Card>
);

/** That payers cannot try cards now, with a button that lets them do so again. */
const CardsHeld = ({ id, text }: { id: string; text: string }) => (
  <Card padded>
    <p>{text}</p>
    <AllowCards id={id} />
  </Card>
);

const Json = ({ label, value }: { label: string; value: unknown }) => (
  <details className={classes.json}>
    <summary>{label}</summary>
    <JsonBlock label={label} value={value} />
  </details>
);
