// The form for a new payment request.
import type { Metadata } from "next";
import { forbidden, notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { currencyOptions } from "@/app/_i18n/currency-options";
import { today } from "@/app/_i18n/today";
import { viewer } from "@/app/_i18n/viewer";
import { accountsFor, findAccount } from "@/app/_trpc/accounts";
import { userMay } from "@/app/_trpc/may";
import type { Outputs } from "@/app/_trpc/server";
import { requireUser } from "@/app/_trpc/session";
import { limits } from "@/server/kit/limits";
import { customerOf } from "../../customers/_parts/customer-page";
import { customerPath, isCurrent, nameOf } from "../../customers/_parts/customer-path";
import { listPath as subscriptions } from "../../subscriptions/_parts/subscription-path";
import classes from "../_parts/beside-preview.module.css";
import { usualDueDay } from "../_parts/due-days";
import { NewPaymentForm } from "../_parts/new-payment-form";
import { listOf } from "../_parts/payment-path";
import { blankValues } from "../_parts/request-values";
import { addressedTo } from "../_parts/saved-values";

const list = "/dashboard/payment-requests";
const fallbackCurrency = "EUR";

export async function generateMetadata({ searchParams }: { searchParams: Search }): Promise<Metadata> {
  const [t, { type }] = await Promise.all([getTranslations("newPayment"), searchParams]);
  return { title: t(`titles.${typeOf(type) ?? "product"}`) };
}

/** The accounts that the user can choose from. */
const openAccountsOf = async (user: Outputs["users"]["current"]) =>
  (await accountsFor(user, { status: ["open"], limit: limits.page.max })).data;

/** The customer's account; the not-found page if it is closed, or the customer was merged or erased. */
async function openAccountOf(customer: Outputs["customers"]["get"]) {
  const account = await findAccount(customer.account_id);
  return account?.status === "open" && isCurrent(customer) ? [account] : notFound();
}

/** The types that a link to the form may choose; without one, it is a product. */
const types = ["subscription", "invoice"] as const;
const typeOf = (asked: string | string[] | undefined) => types.find((one) => one === asked);

type Search = Promise<Partial<Record<"type" | "customer_id", string | string[]>>>;

export default async function NewPaymentPage({ searchParams }: { searchParams: Search }) {
  const { type: asked, customer_id: customerId } = await searchParams;
  const type = typeOf(asked);
  const given = { ...(type && { type }), ...(typeof customerId === "string" && { customer_id: customerId }) };
  const query = new URLSearchParams(given).toString();
  const user = await requireUser(`${list}/new${query && `?${query}`}`);
  if (!userMay(user, "payments.create")) forbidden();
  const [t, reader] = await Promise.all([getTranslations("newPayment"), viewer()]);
  const { locale } = reader;
  const customer = given.customer_id === undefined ? null : await customerOf(given.customer_id);
  const accounts = customer ? await openAccountOf(customer) : await openAccountsOf(user);
  const own = accounts.find(({ account_id }) => account_id === user.account_id) ?? accounts[0];
  const currency = own?.preferences.default_currency ?? user.organization.default_currency ?? fallbackCurrency;
  const back = customer
    ? { href: customerPath(customer.customer_id), label: nameOf(customer) ?? customer.customer_id }
    : type === "subscription"
      ? { href: subscriptions, label: t("backToSubscriptions") }
      : listOf(type, t);
  return (
    <div className={classes.page}>
      <NewPaymentForm
        back={back}
        locale={locale}
        today={today(reader)}
        initial={{
          ...blankValues(currency, own?.account_id ?? ""),
          ...(type && { type }),
          ...(type === "invoice" && { due: usualDueDay(today(reader)) }),
          ...(customer && addressedTo(customer)),
        }}
        currencies={currencyOptions(locale, "current")}
        accounts={accounts.map(({ account_id, account_name }) => ({ value: account_id, label: account_name }))}
      />
    </div>
  );
}
