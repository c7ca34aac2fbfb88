// The state of an account's form: its values, their problems, and the wiring of its fields.
"use client";
import { useForm } from "@mantine/form";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useFormSubmission } from "@/app/_ui/form-submission";
import { type AccountProblem, keyProblem, problemsIn } from "./account-problems";
import type { AccountValues } from "./account-values";

/** An option of a select. */
export interface Option {
  value: string;
  label: string;
}

export interface AccountChoices {
  currencies: readonly Option[];
  languages: readonly Option[];
  timeZones: readonly string[];
}

export type AccountForm = ReturnType<typeof useAccountForm<unknown>>;

/** The form with `initial` values; `send` receives the submitted ones, `onDone` the answer. */
export function useAccountForm<Answer>(
  initial: AccountValues,
  send: (values: AccountValues) => Promise<Answer>,
  onDone: (answer: Answer) => void,
) {
  const t = useTranslations("accountForm");
  const [color, setColor] = useState(initial.color);
  const textOf = (problem: AccountProblem | null) => (problem === null ? null : t(problem));
  const form = useForm<AccountValues>({
    mode: "uncontrolled",
    initialValues: initial,
    validateInputOnBlur: true,
    validate: {
      account_name: (text) => textOf(problemsIn.account_name(text)),
      email: (text) => textOf(problemsIn.email(text)),
      number_prefix: (text) => textOf(problemsIn.number_prefix(text)),
      country: (text) => textOf(problemsIn.country(text)),
      color: (text) => textOf(problemsIn.color(text)),
      owner_user_id: (id, values) => textOf(problemsIn.owner_user_id(id, values)),
      metadata: {
        key: (_key, { metadata }, path) => textOf(keyProblem(metadata, Number(path.split(".")[1]))),
      },
    },
  });
  form.watch("color", ({ value }) => setColor(value));
  /** The props of the field with this name. */
  const field = (name: string) => ({ id: name, name, ...form.getInputProps(name) });
  return { form, field, color, ...useFormSubmission(form, send, onDone) };
}
