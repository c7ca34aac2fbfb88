// The form that records a payment received outside the pay page, towards the payment request or by the customer in the
// address, if any.
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { currencyOptions } from "@/app/_i18n/currency-options";
import { viewer } from "@/app/_i18n/viewer";
import { findAccount } from "@/app/_trpc/accounts";
import { userMay } from "@/app/_trpc/may";
import { api } from "@/app/_trpc/server";
import { currentUser } from "@/app/_trpc/session";
import { failureOf } from "@/server/pipeline/trpc-router";
import { customerOf } from "../../../customers/_parts/customer-page";
import { customerPath, isCurrent } from "../../../customers/_parts/customer-path";
import { listPath } from "../../_parts/list-shape";
import { methodOptions } from "../../_parts/offline-methods";
import { RecordPaymentForm } from "../../_parts/record-payment-form";
import { visibleAccounts } from "../../_parts/visible-accounts";

/** The payment request in the address; the not-found page if the reader may not see it. */
async function requestOf(id: string | undefined) {
  if (id === undefined) return null;
  const caller = await api();
  try {
    return await caller.payments.get({ payment_id: id });
  } catch (error) {
    if (failureOf(error).code === "payment_not_found") notFound();
    throw error;
  }
}

interface Props {
  paymentId: string | undefined;
  customerId: string | undefined;
  accountId: string | undefined;
}

export async function RecordPaymentPanel({ paymentId, customerId, accountId }: Props) {
  const [method, user, { locale }, { accounts, own, currency, isComplete }, request, customer] = await Promise.all([
    getTranslations("transactions.methods"),
    currentUser(),
    viewer(),
    visibleAccounts(),
    requestOf(paymentId),
    customerId === undefined ? null : customerOf(customerId),
  ]);
  const open = accounts.filter(({ status }) => status === "open");
  const preferred = accountId ?? own?.account_id;
  const maySearch = user !== null && userMay(user, "accounts.list") && (!isComplete || open.length > 1);
  const account = open.find(({ account_id }) => account_id === preferred) ?? open[0] ?? null;
  const payee = customer && (await findAccount(customer.account_id));
  if (customer && (payee?.status !== "open" || !isCurrent(customer))) notFound();
  return (
    <RecordPaymentForm
      locale={locale}
      currencies={currencyOptions(locale, "current")}
      own={payee ? [payee] : maySearch ? null : open}
      account={payee ?? account}
      currency={currency}
      request={request}
      customer={customer}
      methods={methodOptions(method)}
      from={customer ? customerPath(customer.customer_id) : listPath}
    />
  );
}
