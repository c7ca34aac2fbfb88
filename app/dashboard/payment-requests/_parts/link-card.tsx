// The card with a payment request's link. On the page that follows its creation, it confirms the creation too.
import { useTranslations } from "next-intl";
import { ButtonLink } from "@/app/_ui/button-link";
import { formatMoney } from "@/app/_ui/money-text";
import { Card } from "@/app/_ui/page-frame";
import { tabs } from "@/server/domains/payments/status-tabs";
import { PayLink } from "./pay-link";
import type { Payment } from "./payment-parts";

interface Props {
  payment: Payment;
  /** The payment request's title. */
  title: string;
  /** Whether the customer can pay now. */
  canPay: boolean;
  /** Whether the reader has just created it. */
  isNew: boolean;
  locale: string;
}

export function LinkCard({ payment, title, canPay, isNew, locale }: Props) {
  const t = useTranslations("payLink");
  const { payment_id: id, payment_url: url, amount, currency, status, customer } = payment;
  if (url === null) return null;
  const isOpen = (tabs.open as readonly string[]).includes(status);
  const another = (
    <ButtonLink href="/dashboard/payment-requests/new" variant="outline" size="sm">
      {t("another")}
    </ButtonLink>
  );
  return (
    <Card title={isNew ? t("doneTitle") : t("title")} action={isNew && another}>
      <PayLink
        id={id}
        url={url}
        title={title}
        customer={customer?.email ?? null}
        state={canPay ? "payable" : isOpen ? "waiting" : "ended"}
        created={isNew ? t("doneText", { amount: formatMoney(amount, currency, locale) }) : undefined}
      />
    </Card>
  );
}
