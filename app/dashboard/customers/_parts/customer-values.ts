// The values of a customer's form, and what creating or saving sends.
import { type AddressField, addressFields, blankAddress, isCountry } from "@/app/_ui/address-fields";
import { isEmail } from "@/app/_ui/email-text";
import { changedEntries, entriesOf, type MetadataRow, rowsOf } from "../../accounts/_parts/account-values";
import type { Customer } from "./customer-path";

/** A type, not an interface, so that the form accepts it as a record. */
export type CustomerValues = {
  /** Set only when a customer is created. */
  account: string;
  name: string;
  email: string;
  phone: string;
  reference: string;
  tax_id: string;
  locale: string;
  metadata: MetadataRow[];
} & Record<AddressField, string>;

const ownFields = ["name", "email", "phone", "reference", "tax_id", "locale"] as const;
type OwnField = (typeof ownFields)[number];
export type TextField = OwnField | AddressField;

export const blankValues = (account: string): CustomerValues => ({
  account,
  ...{ name: "", email: "", phone: "", reference: "", tax_id: "", locale: "" },
  ...blankAddress,
  metadata: [],
});

/** The form's values for a customer. */
export function valuesOf(customer: Customer): CustomerValues {
  const values = blankValues(customer.account_id);
  for (const field of ownFields) values[field] = customer[field] ?? "";
  for (const field of addressFields) values[field] = customer.address?.[field] ?? "";
  return { ...values, metadata: rowsOf(new Map(Object.entries(customer.metadata))) };
}

type Change<Field extends string> = { [F in Field]?: string | null };

interface CustomerChanges extends Change<OwnField> {
  address?: Change<AddressField>;
  metadata?: Record<string, string | null>;
}

/** The fields to send to change a customer from `before` to `after`; empty if nothing differs. */
export function changesOf(before: CustomerValues, after: CustomerValues): CustomerChanges {
  const changed = <Field extends TextField>(fields: readonly Field[]) =>
    Object.fromEntries(
      fields
        .filter((field) => after[field].trim() !== before[field])
        .map((field) => [field, after[field].trim() || null]),
    ) as Change<Field>;
  const address = changed(addressFields);
  const metadata = changedEntries(entriesOf(before), entriesOf(after));
  return {
    ...changed(ownFields),
    ...(Object.keys(address).length > 0 ? { address } : {}),
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
  };
}

/** What creating sends, without the account. */
export function contentOf(values: CustomerValues) {
  const { metadata: _metadata, ...changes } = changesOf(blankValues(values.account), values);
  return { ...changes, metadata: Object.fromEntries(entriesOf(values)) };
}

export type CustomerProblem = "nobody" | "emailWrong" | "countryWrong";

/** By field, for the form's `validate`. The server decides; this only reports problems earlier. */
export const problemsIn = {
  name: (_text: string, { name, email, reference }: CustomerValues) =>
    [name, email, reference].every((text) => text.trim() === "") ? "nobody" : null,
  email: (text: string) => (text.trim() === "" || isEmail(text) ? null : "emailWrong"),
  country: (text: string) => (isCountry(text) ? null : "countryWrong"),
} satisfies { [F in TextField]?: (text: string, values: CustomerValues) => CustomerProblem | null };
