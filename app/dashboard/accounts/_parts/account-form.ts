// The state of an account's form: what is typed, whether it will do, and how its fields are wired.
"use client";
import { useForm } from "@mantine/form";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useFormSubmission } from "@/app/_ui/form-submission";
import { type AccountProblem, keyProblem, problemsIn } from "./account-problems";
import type { AccountValues } from "./account-values";

/** A choice in a list. */
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

/** The form over `initial`; `send` gets what is typed, and the form itself to change it. */
export function useAccountForm<Answer>(
  initial: AccountValues,
  send: (values: AccountValues) => Promise<Answer>,
  onDone: (answer: Answer) => void,
) {
  const t = useTranslations("accountForm");
  const [color, setColor] = useState(initial.color);
  const told = (problem: AccountProblem | null) => (problem === null ? null : t(problem));
  const form = useForm<AccountValues>({
    mode: "uncontrolled",
    initialValues: initial,
    validateInputOnBlur: true,
    validate: {
      account_name: (text) => told(problemsIn.account_name(text)),
      email: (text) => told(problemsIn.email(text)),
      color: (text) => told(problemsIn.color(text)),
      owner_email: (text, values) => told(problemsIn.owner_email(text, values)),
      metadata: {
        key: (_key, { metadata }, path) => told(keyProblem(metadata, Number(path.split(".")[1]))),
      },
    },
  });
  form.watch("color", ({ value }) => setColor(value));
  /** Everything a field of this name needs. */
  const field = (name: string) => ({ id: name, name, ...form.getInputProps(name) });
  return { form, field, color, ...useFormSubmission(form, send, onDone) };
}
