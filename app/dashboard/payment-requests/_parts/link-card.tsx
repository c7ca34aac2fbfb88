// The card with a payment request's link. On the page that follows its creation, it confirms the creation too.
import { getTranslations } from "next-intl/server";
import { ButtonLink } from "@/app/_ui/button-link";
import { Link } from "@/app/_ui/link";
import { formatMoney } from "@/app/_ui/money-text";
import { Card } from "@/app/_ui/page-frame";
import { tabs } from "@/server/domains/payments/status-tabs";
import { type Account, mailToCustomer } from "./mail-to-customer";
import { PayLink } from "./pay-link";
import { customerOf } from "./payment-page";
import type { Payment } from "./payment-parts";
import { invoicePdfPath } from "./payment-path";
import { isPausedLink } from "./shown-status";

interface Props {
  payment: Payment;
  account: Account;
  /** Whether the customer can pay now. */
  canPay: boolean;
  /** Whether nobody can pay because the account has no owner. */
  isOwnerless: boolean;
  /** Whether the reader has just created it. */
  isNew: boolean;
  locale: string;
}

export async function LinkCard({ payment, account, canPay, isOwnerless, isNew, locale }: Props) {
  const { payment_id: id, payment_url: url, amount, currency, status, invoice_number: number } = payment;
  if (url === null) return null;
  const [t, known] = await Promise.all([getTranslations("payLink"), customerOf(payment)]);
  const isOpen = ([...tabs.open, ...tabs.to_capture] as string[]).includes(status);
  const asked = { amount: formatMoney(amount ?? 0, currency, locale) };
  const created = number
    ? t.rich(payment.pdf_url === null ? "issuedText" : "issuedTextPdf", {
        ...asked,
        list: (words) => <Link href="/dashboard/invoices">{words}</Link>,
        pdf: (words) => <a href={invoicePdfPath(id)}>{words}</a>,
      })
    : payment.usage_limit === 1
      ? t("doneText", asked)
      : t("doneTextLink");
  const another = (
    <ButtonLink href={`/dashboard/payment-requests/new${number ? "?type=invoice" : ""}`} variant="outline" size="sm">
      {t("another")}
    </ButtonLink>
  );
  const title = number ? t("issuedTitle", { number }) : isOwnerless ? t("createdTitle") : t("doneTitle");
  return (
    <Card title={isNew ? title : t("title")} action={isNew && another}>
      <PayLink
        id={id}
        url={url}
        mailTo={mailToCustomer(payment, url, account, known)}
        state={isPausedLink(payment) ? "paused" : canPay ? "payable" : isOpen ? "waiting" : "ended"}
        created={isNew && !isOwnerless ? created : undefined}
        ownerless={isOwnerless ? { accountPath: `/dashboard/accounts/${payment.account_id}`, isNew } : undefined}
      />
    </Card>
  );
}
