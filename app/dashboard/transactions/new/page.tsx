// The form that records a payment received outside the pay page, towards the payment request in the address, if any.
import type { Metadata } from "next";
import { forbidden } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { currencyOptions } from "@/app/_i18n/currency-options";
import { viewer } from "@/app/_i18n/viewer";
import { userMay } from "@/app/_trpc/may";
import { api } from "@/app/_trpc/server";
import { requireUser } from "@/app/_trpc/session";
import { moneyText } from "@/app/_ui/money-text";
import { Card, PageHead } from "@/app/_ui/page-frame";
import { failureOf } from "@/server/pipeline/trpc-router";
import { listPath } from "../_parts/list-shape";
import { RecordPaymentForm } from "../_parts/record-payment-form";
import { visibleAccounts } from "../_parts/visible-accounts";
import classes from "./page.module.css";

interface Props {
  searchParams: Promise<{ payment_id?: string | string[] }>;
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("recordPayment");
  return { title: t("title") };
}

/** The payment request in the address, if the reader may see it. */
async function requestOf(id: string | undefined) {
  if (id === undefined) return null;
  const caller = await api();
  try {
    return await caller.payments.get({ payment_id: id });
  } catch (error) {
    if (failureOf(error).code === "payment_not_found") return null;
    throw error;
  }
}

export default async function RecordPaymentPage({ searchParams }: Props) {
  const { payment_id: given } = await searchParams;
  const paymentId = typeof given === "string" ? given : undefined;
  const user = await requireUser(`${listPath}/new${paymentId ? `?payment_id=${encodeURIComponent(paymentId)}` : ""}`);
  if (!userMay(user, "transactions.create.payment")) forbidden();
  const [t, { locale }, { accounts, own, currency }, request] = await Promise.all([
    getTranslations("recordPayment"),
    viewer(),
    visibleAccounts(),
    requestOf(paymentId),
  ]);
  const open = accounts.filter(({ status }) => status === "open");
  const first = open.find(({ account_id }) => account_id === own?.account_id) ?? open[0];
  return (
    <div className={classes.page}>
      <PageHead title={t("title")} back={{ href: listPath, label: t("back") }} />
      <Card padded>
        <p className={classes.intro}>{t("intro")}</p>
        <RecordPaymentForm
          locale={locale}
          currencies={currencyOptions(locale, "current")}
          accounts={open.map(({ account_id, account_name }) => ({ value: account_id, label: account_name }))}
          initial={{
            account: request?.account_id ?? first?.account_id ?? "",
            amount: request ? moneyText(request.amount_due, request.currency, locale) : "",
            currency: request?.currency ?? currency,
            request: request?.payment_id ?? paymentId ?? "",
            customer: request?.customer?.name ?? "",
            email: request?.customer?.email ?? "",
          }}
        />
      </Card>
    </div>
  );
}
