// The form that records a payment received outside the pay page, towards the payment request in the address, if any.
import { currencyOptions } from "@/app/_i18n/currency-options";
import { viewer } from "@/app/_i18n/viewer";
import { api } from "@/app/_trpc/server";
import { moneyText } from "@/app/_ui/money-text";
import { failureOf } from "@/server/pipeline/trpc-router";
import { RecordPaymentForm } from "../../_parts/record-payment-form";
import { visibleAccounts } from "../../_parts/visible-accounts";

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

interface Props {
  paymentId: string | undefined;
  accountId: string | undefined;
}

export async function RecordPaymentPanel({ paymentId, accountId }: Props) {
  const [{ locale }, { accounts, own, currency }, request] = await Promise.all([
    viewer(),
    visibleAccounts(),
    requestOf(paymentId),
  ]);
  const open = accounts.filter(({ status }) => status === "open");
  const preferred = accountId ?? own?.account_id;
  const first = open.find(({ account_id }) => account_id === preferred) ?? open[0];
  return (
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
  );
}
