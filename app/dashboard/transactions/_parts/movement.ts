// The state of the form for a transfer, a credit or an adjustment: its values, their problems, the server's answer.
"use client";
import { useForm } from "@mantine/form";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { useFormSubmission } from "@/app/_ui/form-submission";
import { useMoneyProblem } from "@/app/_ui/money-problem";
import { formatMoney, parseMoney } from "@/app/_ui/money-text";
import { useOutcome } from "@/app/_ui/outcome";
import { useStepUp } from "@/app/_ui/step-up";
import type { Movement } from "./movements";
import { refusedField } from "./refused-field";

export const adjustmentReasons = ["correction", "write_off", "rounding", "goodwill", "chargeback", "other"] as const;

/** The currency of an account that has only one; else the other. */
const currencyFor = (account: MovedAccount | null, otherwise: string): string =>
  account?.balances.length === 1 ? (account.balances[0]?.currency ?? otherwise) : otherwise;

/** What the form knows of an account. */
export interface MovedAccount {
  account_id: string;
  account_name: string;
  balances: readonly { currency: string; available: number }[];
}

interface Options {
  movement: Movement;
  /** The account on arrival. */
  initial: MovedAccount | null;
  /** The account that a transfer goes to, on arrival. What it owes is in the currency of the form. */
  destination: MovedAccount | null;
  currency: string;
  locale: string;
}

const blank = { amount: "", direction: "in", reason: "correction", destination: "", description: "", reference: "" };
export type Values = typeof blank & { account: string; currency: string };

/** Minor units that the account may spend in a currency. */
export const availableIn = ({ balances }: MovedAccount, currency: string): number =>
  balances.find((balance) => balance.currency === currency)?.available ?? 0;

export function useMovement({ movement, initial, destination, currency: usual, locale }: Options) {
  const currencyOf = (account: MovedAccount | null, otherwise: string) =>
    destination === null ? currencyFor(account, otherwise) : otherwise;
  const currency = currencyOf(initial, usual);
  const t = useTranslations("newTransaction");
  const router = useRouter();
  const { announceNext } = useOutcome();
  const { withStepUp, field: stepUpField, isShownInField } = useStepUp();
  const create = useCreate(movement, locale);
  const moneyProblem = useMoneyProblem(locale);
  const [account, setAccountOnly] = useState(initial);
  const [typed, setTyped] = useState({ ...blank, currency });
  const form = useForm<Values>({
    mode: "uncontrolled",
    initialValues: {
      ...blank,
      account: initial?.account_id ?? "",
      destination: destination?.account_id ?? "",
      currency,
    },
    validateInputOnBlur: ["amount", "destination"],
    validate: {
      account: (id) =>
        id.startsWith("acct_") ? null : t(movement === "transfer" ? "sourceMissing" : "accountMissing"),
      destination: (id, values) => (movement === "transfer" ? destinationProblem(id.trim(), values.account) : null),
      amount: (text, values) => moneyProblem(text, values.currency),
    },
  });
  for (const name of ["amount", "currency", "direction", "destination"] as const) {
    form.watch(name, ({ value }) => {
      setTyped((before) => ({ ...before, [name]: value }));
      if (name !== "destination") form.clearFieldError("amount");
    });
  }

  function destinationProblem(id: string, source: string): string | null {
    if (id === "") return t("destinationMissing");
    if (!/^acct_\w+$/.test(id)) return t("destinationWrong");
    return id === source ? t("same") : null;
  }

  function setAccount(chosen: MovedAccount | null) {
    setAccountOnly(chosen);
    form.setFieldValue("currency", currencyOf(chosen, typed.currency));
  }

  const send = (values: Values) => withStepUp(() => create(values));
  function onDone({ transaction_id: id, ...moved }: Awaited<ReturnType<typeof create>>) {
    const amount = formatMoney(moved.amount, moved.currency, locale);
    announceNext(t(`done.${actOf(movement, typed.direction)}`, { amount }));
    router.push(`/dashboard/transactions/${id}`);
    router.refresh();
  }
  const { summary, ...submission } = useFormSubmission(form, send, onDone, {
    fieldOf: refusedField,
    asksToLeave: true,
  });
  const parsed = parseMoney(typed.amount, typed.currency, locale);
  const refusal = isShownInField(summary.refusal) ? null : summary.refusal;
  return {
    ...{ form, typed, account, setAccount, stepUpField, ...submission },
    amount: "amount" in parsed ? parsed.amount : null,
    summary: { ...summary, refusal },
  };
}

/** What happens to the account's balance, as the texts name it. */
export const actOf = (movement: Movement, direction: string) =>
  movement === "adjustment" ? (direction === "out" ? "take" : "add") : movement;

/** Whether the money leaves the account of the form. */
export const isOut = (movement: Movement, direction: string): boolean =>
  movement === "transfer" || (movement === "adjustment" && direction === "out");

/** Sends the values; resolves with the new transaction. A retry after a lost answer moves nothing twice. */
function useCreate(movement: Movement, locale: string) {
  const api = useTRPCClient();
  const { keyFor, answered } = useIdempotencyKey();
  return async (values: Values) => {
    const parsed = parseMoney(values.amount, values.currency, locale);
    if (!("amount" in parsed)) throw new Error("The form was sent with an amount that it had refused.");
    const input = { ...fieldsOf(movement, values), ...commonOf(values), amount: parsed.amount };
    try {
      return await api.transactions.create.mutate(input, { context: { idempotencyKey: keyFor(input) } });
    } catch (error) {
      answered(error);
      throw error;
    }
  };
}

const commonOf = ({ account, currency, description, reference }: Values) => ({
  account_id: account,
  currency,
  description: description.trim() || null,
  reference: reference.trim() || null,
});

function fieldsOf(movement: Movement, { destination, direction, reason }: Values) {
  switch (movement) {
    case "transfer":
      return { type: movement, destination_account_id: destination.trim() };
    case "credit":
      return { type: movement };
    case "adjustment": {
      const known = adjustmentReasons.find((each) => each === reason) ?? "other";
      return { type: movement, direction: direction === "out" ? ("out" as const) : ("in" as const), reason: known };
    }
  }
}
