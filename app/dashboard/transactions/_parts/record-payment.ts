// The state of the form that records a payment: its values, their problems, the server's answer.
"use client";
import { useForm } from "@mantine/form";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { isEmail } from "@/app/_ui/email-text";
import { useFormSubmission } from "@/app/_ui/form-submission";
import { useMoneyProblem } from "@/app/_ui/money-problem";
import { formatMoney, moneyText, parseMoney } from "@/app/_ui/money-text";
import { useNow } from "@/app/_ui/organization-time";
import { useOutcome } from "@/app/_ui/outcome";
import { receivedAt } from "@/app/_ui/received-at";
import { isOtherName } from "../../customers/_parts/customer-path";
import type { MethodOption } from "./offline-methods";
import { hintOf, isPaidBy, type Payer } from "./payer";
import { refusedField } from "./refused-field";
import type { Request } from "./request-select";

/** The values before anything is typed. */
export interface Initial {
  account: string;
  currency: string;
  /** The payment request that the money is for. */
  request: Request | null;
  /** Who has paid. */
  customer: Payer | null;
  locale: string;
}

type Text = "account" | "amount" | "currency" | "request" | "customer" | "email" | "received" | "description";

type Values = Record<Text | "reference" | "note", string> & { method: MethodOption["value"] };

/** What a payment request says about the payment: what is due of it, and by whom. */
const valuesOf = (request: Request, locale: string) => ({
  amount: moneyText(request.amount_due, request.currency, locale),
  currency: request.currency,
  customer: request.customer?.name ?? "",
  email: request.customer?.email ?? "",
});

/** The validation rules of Mantine's form. */
function useProblems(account: string, locale: string) {
  const t = useTranslations("recordPayment");
  const now = useNow();
  const moneyProblem = useMoneyProblem(locale);
  return {
    amount: (value: string, { currency }: Values) => moneyProblem(value, currency),
    request: (id: string) => (id === "" || id.startsWith("pay_") ? null : t("noRequest")),
    account: (id: string, { request }: Values) =>
      request !== "" || account === "" || id.startsWith("acct_") ? null : t("accountMissing"),
    received: (value: string) =>
      value !== "" && receivedAt(value, now(), timeZone()) === null ? t("receivedLate") : null,
    email: (value: string) => (value.trim() === "" || isEmail(value) ? null : t("emailWrong")),
  };
}

export function useRecordPayment({ account, currency, request: initial, customer, locale }: Initial) {
  const t = useTranslations("recordPayment");
  const router = useRouter();
  const [payer, setPayer] = useState<Payer | null>(initial ? initial.customer : customer);
  const record = useRecord(locale, payer);
  const [request, setRequest] = useState(initial);
  const nothingFilled = { amount: "", currency, customer: customer?.name ?? "", email: customer?.email ?? "" };
  const blank = { ...nothingFilled, method: "" as const, received: "", description: "", reference: "", note: "" };
  const initialValues: Values = {
    ...{ ...blank, account, request: initial?.payment_id ?? "" },
    ...(initial ? valuesOf(initial, locale) : {}),
  };
  /** What the chosen request filled in; anything else in these fields was typed. */
  const [filled, setFilled] = useState(initial ? valuesOf(initial, locale) : nothingFilled);
  const [typed, setTyped] = useState(initialValues);
  const form = useForm<Values>({
    mode: "uncontrolled",
    initialValues,
    validateInputOnBlur: true,
    validate: useProblems(account, locale),
    onValuesChange: setTyped,
  });
  // An amount that was too precise for one currency may be valid in the other.
  form.watch("currency", () => form.clearFieldError("amount"));
  // The customer that was chosen belongs to the account before.
  form.watch("account", ({ value, previousValue }) => {
    if (value !== previousValue) setPayer(null);
  });
  const { announceNext } = useOutcome();
  function onDone({ transaction_id: id, ...paid }: Awaited<ReturnType<typeof record>>) {
    announceNext(t("done", { amount: formatMoney(paid.amount, paid.currency, locale) }));
    router.push(`/dashboard/transactions/${id}`);
    router.refresh();
  }
  /** Fills in what the request says in place of what the one before said. What was typed stays. */
  function chooseRequest(chosen: Request | null) {
    if (chosen === request) return;
    setRequest(chosen);
    // The field of the account is drawn anew whenever no request is chosen.
    form.setFieldValue("account", account);
    const said = chosen ? valuesOf(chosen, locale) : nothingFilled;
    const values = form.getValues();
    const isTyped = (name: keyof typeof said) => values[name] !== "" && values[name] !== filled[name];
    const hasOtherName = isTyped("customer");
    if (!hasOtherName) setPayer(chosen ? chosen.customer : customer);
    for (const name of ["amount", "currency", "customer", "email"] as const) {
      // The e-mail address goes with the name. Money for a request is always in the request's currency.
      const isKept = isTyped(name) || (name === "email" && hasOtherName);
      if (!isKept || (name === "currency" && chosen)) form.setFieldValue(name, said[name]);
    }
    setFilled(said);
  }
  const submission = useFormSubmission(form, record, onDone, { fieldOf: refusedField, asksToLeave: true });
  function chooseCustomer(chosen: Payer) {
    setPayer(chosen);
    form.setFieldValue("email", chosen.email ?? "");
  }
  /** Another name is another payer's, whose e-mail address is not that of the one before. */
  function changeName(name: string) {
    if (payer === null || !isOtherName(name, payer.name)) return;
    setPayer(null);
    if (form.getValues().email.trim() === payer.email) form.setFieldValue("email", "");
  }
  const hint = hintOf(payer, request, typed);
  return { form, typed, request, chooseRequest, chooseCustomer, changeName, hint, ...submission };
}

const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Sends the values; resolves with the new transaction. A retry after a lost answer records no second payment. */
function useRecord(locale: string, payer: Payer | null) {
  const api = useTRPCClient();
  const now = useNow();
  const { keyFor, answered } = useIdempotencyKey();
  return async (values: Values) => {
    const parsed = parseMoney(values.amount, values.currency, locale);
    if (!("amount" in parsed)) throw new Error("The form was sent with an amount that it had refused.");
    const text = (value: string) => value.trim() || null;
    const customer = { name: text(values.customer), email: text(values.email) };
    const input = {
      type: "payment" as const,
      amount: parsed.amount,
      currency: values.currency,
      // Money for a payment request goes to the request's account.
      account_id: values.request === "" ? text(values.account) : null,
      payment_id: text(values.request),
      method: values.method || null,
      reason: text(values.note),
      effective_at: receivedAt(values.received, now(), timeZone()),
      description: text(values.description),
      reference: text(values.reference),
      // A payment request has its own customer.
      customer:
        payer?.customer_id && values.request === "" && isPaidBy(payer, values)
          ? { ...customer, customer_id: payer.customer_id }
          : customer.name || customer.email
            ? customer
            : null,
    };
    try {
      return await api.transactions.create.mutate(input, { context: { idempotencyKey: keyFor(input) } });
    } catch (error) {
      answered(error);
      throw error;
    }
  };
}
