// The form for a new payment request.
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { viewer } from "@/app/_i18n/viewer";
import { api } from "@/app/_trpc/server";
import { requireUser } from "@/app/_trpc/session";
import { Card, PageHead } from "@/app/_ui/page-frame";
import { currencies } from "@/server/kit/currency";
import { limits } from "@/server/kit/limits";
import { NewPaymentForm } from "../_parts/new-payment-form";
import classes from "./page.module.css";

const fallbackCurrency = "EUR";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("newPayment");
  return { title: t("title") };
}

/** Every currency by its name, the code first, since that is what people type. */
function currencyOptions(locale: string) {
  const names = new Intl.DisplayNames(locale, { type: "currency" });
  const codes = Object.keys(currencies).sort();
  return codes.map((code) => ({ value: code, label: `${code} – ${names.of(code)}` }));
}

export default async function NewPaymentPage() {
  const user = await requireUser("/dashboard/payment-requests/new");
  const [t, { locale }, caller] = await Promise.all([getTranslations("newPayment"), viewer(), api()]);
  // Members ask for their own account; which one that is the server knows.
  const accounts =
    user.role === "admin" ? (await caller.accounts.list({ status: ["open"], limit: limits.page.max })).data : [];
  const own = accounts.find(({ account_id }) => account_id === user.account_id) ?? accounts[0];
  return (
    <div className={classes.page}>
      <PageHead title={t("title")} />
      <Card padded>
        <NewPaymentForm
          locale={locale}
          currencies={currencyOptions(locale)}
          currency={own?.preferences.default_currency ?? fallbackCurrency}
          accounts={accounts.map(({ account_id, account_name }) => ({ value: account_id, label: account_name }))}
          account={own?.account_id ?? ""}
          descriptionLength={limits.description}
        />
      </Card>
    </div>
  );
}
