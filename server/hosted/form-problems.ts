// Possible problems with a submitted pay form, and the fields that they are about.
import { amountProblems } from "@/server/domains/payments/choices";
import { payerProblems } from "@/server/domains/payments/links/payer";
import { useProblems } from "@/server/domains/payments/links/rules";

/** The redirect back to the page names them in its query. */
export const formProblems = [
  ...amountProblems,
  "amount_unclear",
  ...useProblems,
  ...payerProblems,
  "total_changed",
  "being_checked",
  "being_confirmed",
  "too_many_unconfirmed",
  "number_invalid",
  "number_not_test",
  "expiry_invalid",
  "expiry_past",
  "security_code_invalid",
  "form_expired",
  "rate_limited",
] as const;

export type FormProblem = (typeof formProblems)[number];

export const cardFields = ["card_number", "expiry", "security_code"] as const;

export type CardField = (typeof cardFields)[number];

/** The field of a problem. Others are about the whole form. */
export const fieldOf: Partial<Record<FormProblem, CardField | "own_amount" | "quantities" | "email" | "name">> = {
  use_amount_invalid: "own_amount",
  use_amount_too_small: "own_amount",
  use_amount_too_large: "own_amount",
  quantity_invalid: "quantities",
  email_missing: "email",
  email_too_long: "email",
  email_invalid: "email",
  name_too_long: "name",
  name_invalid: "name",
  amount_invalid: "own_amount",
  amount_too_small: "own_amount",
  amount_too_large: "own_amount",
  amount_leaves_too_little: "own_amount",
  amount_unclear: "own_amount",
  amount_unconfirmed: "own_amount",
  number_invalid: "card_number",
  number_not_test: "card_number",
  expiry_invalid: "expiry",
  expiry_past: "expiry",
  security_code_invalid: "security_code",
};

/** The known problems in a query value. */
export const knownProblems = (words: string | null): FormProblem[] =>
  formProblems.filter((problem) => words?.split(",").includes(problem));
