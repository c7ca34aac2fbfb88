// The form for a new payment request; `?from=` copies the values of an existing one.
import type { Metadata } from "next";
import { forbidden } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { currencyOptions } from "@/app/_i18n/currency-options";
import { viewer } from "@/app/_i18n/viewer";
import { accountsFor } from "@/app/_trpc/accounts";
import { userMay } from "@/app/_trpc/may";
import { api } from "@/app/_trpc/server";
import { requireUser } from "@/app/_trpc/session";
import { Card, PageHead } from "@/app/_ui/page-frame";
import { limits } from "@/server/kit/limits";
import { failureOf } from "@/server/pipeline/trpc-router";
import { NewPaymentForm } from "../_parts/new-payment-form";
import { blankValues, copiedValues } from "../_parts/request-values";
import classes from "./page.module.css";

const list = "/dashboard/payment-requests";
const fallbackCurrency = "EUR";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("newPayment");
  return { title: t("title") };
}

/** The payment request to copy; null if there is none, or the reader may not see it. */
async function originalOf(caller: Awaited<ReturnType<typeof api>>, from: string | string[] | undefined) {
  if (typeof from !== "string") return null;
  try {
    return await caller.payments.get({ payment_id: from });
  } catch (error) {
    if (failureOf(error).code === "payment_not_found") return null;
    throw error;
  }
}

type Search = Promise<{ from?: string | string[] }>;

export default async function NewPaymentPage({ searchParams }: { searchParams: Search }) {
  const { from } = await searchParams;
  const user = await requireUser(`${list}/new${typeof from === "string" ? `?from=${encodeURIComponent(from)}` : ""}`);
  if (!userMay(user, "payments.create")) forbidden();
  const [t, { locale }, caller] = await Promise.all([getTranslations("newPayment"), viewer(), api()]);
  const [{ data: accounts }, original] = await Promise.all([
    accountsFor(user, { status: ["open"], limit: limits.page.max }),
    originalOf(caller, from),
  ]);
  const own = accounts.find(({ account_id }) => account_id === user.account_id) ?? accounts[0];
  const currency = own?.preferences.default_currency ?? user.organization.default_currency ?? fallbackCurrency;
  const blank = blankValues(currency, own?.account_id ?? "");
  const isOpen = original !== null && accounts.some(({ account_id }) => account_id === original.account_id);
  const initial = original
    ? { ...copiedValues(original, locale), ...(isOpen ? {} : { account: blank.account }) }
    : blank;
  return (
    <div className={classes.page}>
      <PageHead title={t("title")} back={{ href: list, label: t("back") }} />
      <Card padded>
        <NewPaymentForm
          locale={locale}
          initial={initial}
          currencies={currencyOptions(locale, "current")}
          accounts={accounts.map(({ account_id, account_name }) => ({ value: account_id, label: account_name }))}
        />
      </Card>
    </div>
  );
}
