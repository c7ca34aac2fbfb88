// A reusable link with its payers: how many places are taken, what was received, and the newest uses.
import { useFormatter, useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import type { Viewer } from "@/app/_i18n/viewer";
import { api } from "@/app/_trpc/server";
import { ButtonLink } from "@/app/_ui/button-link";
import { type Detail, DetailList } from "@/app/_ui/detail-list";
import { Instant } from "@/app/_ui/instant";
import { Link } from "@/app/_ui/link";
import { Money } from "@/app/_ui/money";
import { Card } from "@/app/_ui/page-frame";
import { StatusBadge } from "@/app/_ui/status-badge";
import { formatMoney } from "@/server/kit/currency";
import { limits } from "@/server/kit/limits";
import { PauseLink } from "./pause-link";
import type { Payment } from "./payment-parts";
import { paymentPath } from "./payment-path";
import classes from "./payment-transactions.module.css";
import { isPausedLink } from "./shown-status";

interface Props {
  payment: Payment;
  reader: Viewer;
}

/** Renders nothing for a payment request that is no reusable link, or for its draft. */
export const LinkParts = (props: Props & { canPause: boolean }) => (
  <>
    <LinkUsage {...props} />
    <LinkPayers {...props} />
  </>
);

function LinkUsage({ payment, canPause, reader }: Props & { canPause: boolean }) {
  const t = useTranslations("payment");
  const format = useFormatter();
  const { usage_limit: limit, uses_count: count, uses_reserved: held, custom_amount: custom, currency } = payment;
  if (limit === 1) return null;
  const money = (amount: number) => <Money amount={amount} currency={currency} locale={reader.locale} />;
  const text = (amount: number) => formatMoney(amount, currency, reader.locale);
  const items: Detail[] = [
    { label: t("uses"), value: limit === null ? t("usesUnlimited", { count }) : t("usesOf", { count, limit }) },
    { label: t("received"), value: payment.amount_paid > 0 && money(payment.amount_paid) },
    { label: t("refunded"), value: payment.amount_refunded > 0 && money(payment.amount_refunded) },
    {
      label: t("amountChosen"),
      value: custom && t("range", { from: text(custom.minimum), to: text(custom.maximum) }),
    },
    ...payment.line_items.flatMap(({ name, adjustable_quantity: range }) =>
      range === null
        ? []
        : [{ label: name, value: `${format.number(range.minimum)} – ${format.number(range.maximum)}` }],
    ),
  ];
  return (
    <Card title={t("parentLink")} action={canPause && <PauseLink id={payment.payment_id} isPaused={payment.paused} />}>
      {isPausedLink(payment) && <p>{t("linkPaused")}</p>}
      <DetailList items={items} />
      {limit !== null && count > limit && <PayersBeyond link={payment.payment_id} />}
      {held > 0 && <p className={classes.none}>{t("usesReserved", { count: held })}</p>}
    </Card>
  );
}

/** How many payers beyond the limit are in the list of those who need attention, with that list. */
async function PayersBeyond({ link }: { link: string }) {
  const [t, caller] = await Promise.all([getTranslations("payment"), api()]);
  const { all: count } = await caller.payments.counts({ over_limit: true, parent_payment_id: link });
  if (count === 0) return null;
  return (
    <p className={classes.none} role="status">
      {t("usesOver", { count })}{" "}
      <Link href={`/dashboard/payment-requests?over_limit=true&parent_payment_id=${link}`}>{t("usesOverShow")}</Link>
    </p>
  );
}

/** The newest uses of a reusable link, each with its payer. */
async function LinkPayers({ payment, reader }: Props) {
  if (payment.usage_limit === 1 || payment.status === "draft") return null;
  const [t, caller] = await Promise.all([getTranslations("payment"), api()]);
  const { payment_id: id } = payment;
  const uses = await caller.payments.list({ parent_payment_id: id, limit: limits.page.default });
  const all = (
    <ButtonLink href={`/dashboard/payment-requests?parent_payment_id=${id}`} variant="outline">
      {t("payersAll")}
    </ButtonLink>
  );
  return (
    <Card title={t("payers")} action={uses.data.length > 0 && all}>
      {uses.data.length === 0 && <p className={classes.none}>{t("payersNone")}</p>}
      <ul className={classes.list}>
        {uses.data.map((use) => (
          <li key={use.payment_id} className={classes.row}>
            <span className={classes.what}>
              <Link href={paymentPath(use.payment_id)} className={classes.link}>
                {use.customer?.name ?? use.customer?.email ?? t("payerUnknown")}
              </Link>
              <span className={classes.how}>
                {use.customer?.name && use.customer.email && `${use.customer.email} · `}
                <Instant at={use.created_at} {...reader} />
              </span>
            </span>
            <StatusBadge status={use.status} />
            <span className={classes.amount}>
              <Money amount={use.amount ?? 0} currency={use.currency} locale={reader.locale} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
