// The form for a new payment request.
import type { Metadata } from "next";
import { forbidden } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { currencyOptions } from "@/app/_i18n/currency-options";
import { viewer } from "@/app/_i18n/viewer";
import { accountsFor } from "@/app/_trpc/accounts";
import { userMay } from "@/app/_trpc/may";
import { requireUser } from "@/app/_trpc/session";
import { PageHead } from "@/app/_ui/page-frame";
import { limits } from "@/server/kit/limits";
import classes from "../_parts/beside-preview.module.css";
import { NewPaymentForm } from "../_parts/new-payment-form";
import { blankValues } from "../_parts/request-values";

const list = "/dashboard/payment-requests";
const fallbackCurrency = "EUR";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("newPayment");
  return { title: t("title") };
}

/** The types that a link to the form may choose; without one, it is a product. */
const types = ["subscription", "invoice"] as const;

type Search = Promise<{ type?: string | string[] }>;

export default async function NewPaymentPage({ searchParams }: { searchParams: Search }) {
  const { type: asked } = await searchParams;
  const type = types.find((one) => one === asked);
  const user = await requireUser(type ? `${list}/new?type=${type}` : `${list}/new`);
  if (!userMay(user, "payments.create")) forbidden();
  const [t, { locale }] = await Promise.all([getTranslations("newPayment"), viewer()]);
  const { data: accounts } = await accountsFor(user, { status: ["open"], limit: limits.page.max });
  const own = accounts.find(({ account_id }) => account_id === user.account_id) ?? accounts[0];
  const currency = own?.preferences.default_currency ?? user.organization.default_currency ?? fallbackCurrency;
  return (
    <div className={classes.page}>
      <PageHead title={t("title")} back={{ href: list, label: t("back") }} />
      <NewPaymentForm
        locale={locale}
        initial={{
          ...blankValues(currency, own?.account_id ?? ""),
          ...(type && { type }),
        }}
        currencies={currencyOptions(locale, "current")}
        accounts={accounts.map(({ account_id, account_name }) => ({ value: account_id, label: account_name }))}
      />
    </div>
  );
}
