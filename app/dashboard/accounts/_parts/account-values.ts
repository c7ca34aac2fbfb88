// The values of an account's form, the changes that a save sends, and merging with someone else's changes.

import type { Outputs } from "@/app/_trpc/server";
import { type AddressField, addressFields, blankAddress } from "@/app/_ui/address-fields";

type Account = Outputs["accounts"]["get"];

export interface MetadataRow {
  /** Identifies the row during editing. */
  row: string;
  key: string;
  value: string;
}

/** The mails that customers get without being asked for; on unless an account turns them off. */
export const mailFields = ["payment_receipt", "refund_receipt"] as const;
type MailField = (typeof mailFields)[number];

/** A type, not an interface, so that the form accepts it as a record. */
export type AccountValues = {
  /** These three are set only when an account is created. */
  account_type: string;
  owner: "self" | "other" | "nobody";
  owner_user_id: string;
  account_name: string;
  email: string;
  default_currency: string;
  locale: string;
  timezone: string;
  statement_descriptor: string;
  /** "0" to "23"; "" for the default. */
  reminder_hour: string;
  color: string;
  legal_name: string;
  tax_id: string;
  number_prefix: string;
  footer: string;
  metadata: MetadataRow[];
} & Record<AddressField, string> &
  Record<MailField, boolean>;

const preferenceFields = ["default_currency", "locale", "timezone", "statement_descriptor"] as const;
/** What its invoices say about the account, besides its address there. */
const invoiceFields = ["legal_name", "tax_id", "number_prefix", "footer"] as const;
const ownFields = ["account_name", "email", ...preferenceFields, "reminder_hour", "color"] as const;
const textFields = [...ownFields, ...invoiceFields, ...addressFields] as const;
export type TextField = (typeof textFields)[number];

export const emptyValues: AccountValues = {
  account_type: "business",
  owner: "self",
  owner_user_id: "",
  account_name: "",
  email: "",
  default_currency: "",
  locale: "",
  timezone: "",
  statement_descriptor: "",
  reminder_hour: "",
  color: "",
  ...{ legal_name: "", tax_id: "", number_prefix: "", footer: "" },
  ...blankAddress,
  ...{ payment_receipt: true, refund_receipt: true },
  metadata: [],
};

/** The form's values for an account. */
export function valuesOf({ account_name, email, preferences, metadata }: Account): AccountValues {
  return {
    ...emptyValues,
    account_name,
    email,
    default_currency: preferences.default_currency ?? "",
    locale: preferences.locale ?? "",
    timezone: preferences.timezone ?? "",
    statement_descriptor: preferences.statement_descriptor ?? "",
    reminder_hour: preferences.reminder_hour === null ? "" : String(preferences.reminder_hour),
    color: preferences.branding.color ?? "",
    ...textsOf(invoiceFields, preferences.invoice),
    ...textsOf(addressFields, preferences.invoice.address ?? {}),
    payment_receipt: preferences.notifications["payment_receipt"] ?? true,
    refund_receipt: preferences.notifications["refund_receipt"] ?? true,
    metadata: rowsOf(new Map(Object.entries(metadata))),
  };
}

/** The named texts; "" for one that is not set. */
const textsOf = <Name extends string>(names: readonly Name[], record: Partial<Record<Name, string | null>>) =>
  Object.fromEntries(names.map((name) => [name, record[name] ?? ""])) as Record<Name, string>;

export const rowsOf = (entries: ReadonlyMap<string, string>): MetadataRow[] =>
  [...entries].map(([key, value]) => ({ row: key, key, value }));

/** The entries with a key; a row without one is incomplete. */
export const entriesOf = ({ metadata }: Pick<AccountValues, "metadata">): Map<string, string> =>
  new Map(metadata.flatMap(({ key, value }) => (key.trim() === "" ? [] : [[key.trim(), value] as const])));

type Change<T> = { [K in keyof T]?: T[K] | null };

interface AccountChanges {
  account_name?: string;
  email?: string;
  preferences?: Change<Record<(typeof preferenceFields)[number], string>> & {
    reminder_hour?: number | null;
    branding?: { color: string | null };
    notifications?: Partial<Record<MailField, boolean>>;
    invoice?: Change<Record<(typeof invoiceFields)[number], string>> & {
      address?: Change<Record<AddressField, string>>;
    };
  };
  metadata?: Record<string, string | null>;
}

/** The fields to send to change an account from `before` to `after`; empty if nothing differs. */
export function changesOf(before: AccountValues, after: AccountValues): AccountChanges {
  const changed = (field: TextField) => after[field].trim() !== before[field];
  const orNull = (field: TextField) => after[field].trim() || null;
  const patchOf = (fields: readonly TextField[]) =>
    Object.fromEntries(fields.filter(changed).map((field) => [field, orNull(field)]));
  const address = patchOf(addressFields);
  const invoice = { ...patchOf(invoiceFields), ...(Object.keys(address).length > 0 ? { address } : {}) };
  const notifications = Object.fromEntries(
    mailFields.filter((name) => after[name] !== before[name]).map((name) => [name, after[name]]),
  );
  const preferences = {
    ...patchOf(preferenceFields),
    ...(changed("reminder_hour") ? { reminder_hour: hourOf(after) } : {}),
    ...(Object.keys(notifications).length > 0 ? { notifications } : {}),
    ...(Object.keys(invoice).length > 0 ? { invoice } : {}),
    ...(changed("color") ? { branding: { color: orNull("color") } } : {}),
  };
  const metadata = changedEntries(entriesOf(before), entriesOf(after));
  return {
    ...(changed("account_name") ? { account_name: after.account_name.trim() } : {}),
    ...(changed("email") ? { email: after.email.trim() } : {}),
    ...(Object.keys(preferences).length > 0 ? { preferences } : {}),
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
  };
}

const hourOf = ({ reminder_hour: hour }: AccountValues): number | null => (hour === "" ? null : Number(hour));

export function changedEntries(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) {
  const keys = new Set([...before.keys(), ...after.keys()]);
  return Object.fromEntries(
    [...keys].flatMap((key) => {
      const value = after.get(key) ?? null;
      return value === (before.get(key) ?? null) ? [] : [[key, value] as const];
    }),
  );
}

interface Merged {
  values: AccountValues;
  /** The saved value of each field that both have changed, by field; metadata by `metadata.` and the key. */
  clashes: Record<string, string>;
}

/** Merges the values typed over `before` with those that someone else has saved meanwhile. Typed values win. */
export function merged(before: AccountValues, typed: AccountValues, saved: AccountValues): Merged {
  const clashes: Record<string, string> = {};
  const values = { ...typed };
  for (const field of textFields) {
    if (typed[field].trim() === before[field]) values[field] = saved[field];
    else if (saved[field] !== before[field] && saved[field] !== typed[field].trim()) clashes[field] = saved[field];
  }
  for (const name of mailFields) if (typed[name] === before[name]) values[name] = saved[name];
  const entries = entriesOf(saved);
  const isTouched = (key: string) => entries.get(key) !== entriesOf(before).get(key);
  for (const [key, value] of Object.entries(changedEntries(entriesOf(before), entriesOf(typed)))) {
    const theirs = entries.get(key);
    if (isTouched(key) && theirs !== (value ?? undefined)) clashes[`metadata.${key}`] = theirs ?? "";
    if (value !== null) entries.set(key, value);
    // An entry that they have changed returns to the form, so that removing it is a conscious decision.
    else if (!isTouched(key)) entries.delete(key);
  }
  return { values: { ...values, metadata: rowsOf(entries) }, clashes };
}
