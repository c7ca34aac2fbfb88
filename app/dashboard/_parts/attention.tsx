// What needs attention, on every page of the dashboard until it is resolved. Each kind adds its lines.

import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { viewer } from "@/app/_i18n/viewer";
import { api } from "@/app/_trpc/server";
import { Link } from "@/app/_ui/link";
import { formatMoney, isCurrency } from "@/app/_ui/money-text";
import { limits } from "@/server/kit/limits";
import { runtime } from "@/server/process/runtime";
import { RefundSurplus } from "../payment-requests/_parts/refund-surplus";
import classes from "./attention.module.css";
import { Dismiss } from "./dismiss";
import { faultAddress } from "./home/home-address";

interface Line {
  key: string;
  text: ReactNode;
  action?: ReactNode;
}

interface Props {
  mayRefund: boolean;
  mayDismiss: boolean;
  mayReadKeys: boolean;
}

export async function Attention({ mayRefund, mayDismiss, mayReadKeys }: Props) {
  const t = await getTranslations("attention");
  const keys = mayReadKeys ? keyLines() : [];
  const lines = (
    await Promise.all([overpaidLines(mayRefund), disputeLines(mayDismiss), keys, jobLines(), mailLines()])
  ).flat();
  if (lines.length === 0) return null;
  return (
    <section aria-labelledby="attention" className={classes.attention}>
      <h2 id="attention" className={classes.title}>
        {t("title")}
      </h2>
      <ul className={classes.lines}>
        {lines.map(({ key, text, action }) => (
          <li key={key} className={classes.line}>
            <span className={classes.text}>{text}</span>
            {action}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Overpaid payment requests. Readers who may refund also get a button that refunds the surplus. */
async function overpaidLines(mayRefund: boolean): Promise<Line[]> {
  const [t, caller, { locale }] = await Promise.all([getTranslations("attention"), api(), viewer()]);
  const { data, total_count: total } = await caller.payments.overpaid({});
  const lines = data.map(({ payment_id: id, description, currency, amount_overpaid: surplus, refunds }): Line => {
    const title = description ?? id;
    const link = (text: ReactNode) => <Link href={`/dashboard/payment-requests/${id}`}>{text}</Link>;
    return {
      key: id,
      text: t.rich("overpaid", { title, amount: formatMoney(surplus, currency, locale), link }),
      // Another surplus of the same payment request is another refund.
      action:
        refunds.length === 0 ? (
          <span className={classes.note}>{t("refunding")}</span>
        ) : (
          mayRefund && <RefundSurplus key={JSON.stringify(refunds)} {...{ id, title, refunds, currency, locale }} />
        ),
    };
  });
  if (total <= data.length) return lines;
  const action = <Link href={faultAddress.overpaid()}>{t("seeOverpaid")}</Link>;
  return [...lines, { key: "all", text: t("allOverpaid", { count: total }), action }];
}

/** What providers said about disputes that could not be booked. */
async function disputeLines(mayDismiss: boolean): Promise<Line[]> {
  const [t, caller, { locale }] = await Promise.all([getTranslations("attention"), api(), viewer()]);
  const { data, has_more: hasMore } = await caller.transactions.unexpectedDisputes({});
  const lines = data.map(({ transaction_id: id, reported_at: reportedAt, status, amount, currency }): Line => {
    const link = (text: ReactNode) => <Link href={`/dashboard/transactions/${id}`}>{text}</Link>;
    return {
      key: id,
      text: t.rich("dispute", { status, amount: reportedAmount(amount, currency, locale), link }),
      action: mayDismiss && <Dismiss of="dispute" {...{ id, reportedAt }} />,
    };
  });
  return hasMore ? [...lines, { key: "more-disputes", text: t("moreDisputes") }] : lines;
}

/** The amount as the provider gave it: it may be none, or in no currency. */
const reportedAmount = (amount: number, currency: string, locale: string): string =>
  Number.isSafeInteger(amount) && isCurrency(currency)
    ? formatMoney(amount, currency, locale)
    : `${amount} ${currency}`;

/** API keys whose secret a removed user may still know. */
async function keyLines(): Promise<Line[]> {
  const [t, caller] = await Promise.all([getTranslations("attention"), api()]);
  const { data, has_more: hasMore } = await caller.apiKeys.leftBehind({});
  const link = (text: ReactNode) => <Link href="/dashboard/api-keys">{text}</Link>;
  const lines = data.map(({ api_key_id: key, name }): Line => ({ key, text: t.rich("keyLeft", { name, link }) }));
  const more = { key: "more-keys", text: t("moreKeys"), action: link(t("seeKeys")) };
  return hasMore ? [...lines, more] : lines;
}

/** Jobs that have failed for good. */
async function jobLines(): Promise<Line[]> {
  const [t, caller] = await Promise.all([getTranslations("jobs"), api()]);
  const { total_count: count } = await caller.jobs.dead({ limit: 1, include_total: true });
  if (!count) return [];
  return [{ key: "jobs", text: t("notice", { count }), action: <Link href={faultAddress.jobs()}>{t("see")}</Link> }];
}

/** Mails of the last days that could not be delivered. */
async function mailLines(): Promise<Line[]> {
  const [t, caller, { clock }] = await Promise.all([getTranslations("attention"), api(), runtime()]);
  const created_from = new Date(clock.now() - limits.failedMailsShownMs).toISOString();
  const { total_count: count } = await caller.mails.list({
    status: ["failed"],
    created_from,
    limit: 1,
    include_total: true,
  });
  if (!count) return [];
  const action = <Link href={faultAddress.mails(created_from)}>{t("seeMails")}</Link>;
  return [{ key: "mails", text: t("failedMails", { count }), action }];
}
