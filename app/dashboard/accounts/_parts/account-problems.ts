// Why a text of an account's form will not do; the server decides, this only tells earlier.
import { isEmail } from "@/app/_ui/email-text";
import { isMetadataKey } from "@/app/_ui/metadata-key";
import type { AccountValues, MetadataRow, TextField } from "./account-values";

export type AccountProblem =
  | "nameMissing"
  | "emailWrong"
  | "colorWrong"
  | "ownerMissing"
  | "keyMissing"
  | "keyWrong"
  | "keyTwice";

/** By field, as the form's `validate` asks. */
export const problemsIn = {
  account_name: (text: string) => (text.trim() === "" ? "nameMissing" : null),
  email: (text: string) => (isEmail(text) ? null : "emailWrong"),
  color: (text: string) => (/^(#[0-9a-fA-F]{6})?$/.test(text.trim()) ? null : "colorWrong"),
  owner_email: (text: string, { owner }: AccountValues) => (owner !== "other" || isEmail(text) ? null : "ownerMissing"),
} satisfies { [F in TextField | "owner_email"]?: (text: string, values: AccountValues) => AccountProblem | null };

/** What is wrong with the key of one row among the others. A row in which nothing stands is left out when saving. */
export function keyProblem(rows: readonly MetadataRow[], index: number): AccountProblem | null {
  const { key, value } = rows[index] ?? { key: "", value: "" };
  const text = key.trim();
  if (text === "") return value === "" ? null : "keyMissing";
  if (!isMetadataKey(text)) return "keyWrong";
  return rows.findIndex((row) => row.key.trim() === text) === index ? null : "keyTwice";
}
