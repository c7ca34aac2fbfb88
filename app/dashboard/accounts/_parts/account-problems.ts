// Problems of an account form's values. The server decides; this only reports them earlier.
import { isCountry } from "@/app/_ui/address-fields";
import { isEmail } from "@/app/_ui/email-text";
import { isMetadataKey } from "@/app/_ui/metadata-key";
import type { AccountValues, MetadataRow, TextField } from "./account-values";

export type AccountProblem =
  | "nameMissing"
  | "emailWrong"
  | "colorWrong"
  | "prefixSpaces"
  | "prefixWrong"
  | "prefixOfCreditNotes"
  | "countryWrong"
  | "ownerMissing"
  | "keyMissing"
  | "keyWrong"
  | "keyTwice";

function prefixProblem(text: string): AccountProblem | null {
  if (/\s/u.test(text.trim())) return "prefixSpaces";
  if (text.trim().toUpperCase().endsWith("CN-")) return "prefixOfCreditNotes";
  return /^[A-Za-z0-9._/#-]*$/.test(text.trim()) ? null : "prefixWrong";
}

/** By field, for the form's `validate`. */
export const problemsIn = {
  account_name: (text: string) => (text.trim() === "" ? "nameMissing" : null),
  email: (text: string) => (isEmail(text) ? null : "emailWrong"),
  color: (text: string) => (/^(#[0-9a-fA-F]{6})?$/.test(text.trim()) ? null : "colorWrong"),
  number_prefix: prefixProblem,
  country: (text: string) => (isCountry(text) ? null : "countryWrong"),
  owner_user_id: (id: string, { owner }: AccountValues) => (owner !== "other" || id !== "" ? null : "ownerMissing"),
} satisfies { [F in TextField | "owner_user_id"]?: (text: string, values: AccountValues) => AccountProblem | null };

/** The problem of one metadata row's key. An empty row is valid: it is not saved. */
export function keyProblem(rows: readonly MetadataRow[], index: number): AccountProblem | null {
  const { key, value } = rows[index] ?? { key: "", value: "" };
  const text = key.trim();
  if (text === "") return value === "" ? null : "keyMissing";
  if (!isMetadataKey(text)) return "keyWrong";
  return rows.findIndex((row) => row.key.trim() === text) === index ? null : "keyTwice";
}
