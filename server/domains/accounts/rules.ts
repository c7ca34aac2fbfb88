// Rules of accounts that need no database: merging preferences and metadata, visibility, versions.
import { createHash } from "node:crypto";
import type { InvoicePreferences } from "@/db/schema/invoice-values";
import type { logoTypes, Metadata, Preferences } from "@/db/schema/values";
import { patchedAddress } from "@/server/kit/address-fields";
import type { Scope } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import { recordVersion } from "@/server/kit/version";
import type { Account, PreferencesIn } from "./schema";

const noInvoicePreferences: InvoicePreferences = {
  ...{ legal_name: null, address: null, tax_id: null, number_prefix: null, footer: null },
};

/** Follows the account's prefix in the number of a credit note, so that no invoice has the same number. */
export const creditNoteMark = "CN-";

/** What the invoices of an account say about it. */
export const invoicePreferencesOf = (row: { invoicePreferences: InvoicePreferences | null }): InvoicePreferences =>
  row.invoicePreferences ?? noInvoicePreferences;

/** The prefix of the account's numbers in the form that is compared, without regard to case; empty without one. */
export const prefixKeyOf = (preferences: InvoicePreferences | null): string =>
  (preferences?.number_prefix ?? "").toUpperCase();

/**
 * The tax number in its normal form (upper-case letters and digits only) and the prefix without regard to case, which
 * together decide about the numbers of invoices; null without a tax number.
 */
export function numberingKeyOf(preferences: InvoicePreferences | null): string | null {
  const number = (preferences?.tax_id ?? "").normalize("NFKC").toUpperCase();
  const normal = number.replace(/[^\p{L}\p{N}]/gu, "");
  return normal === "" ? null : `${normal} ${prefixKeyOf(preferences)}`;
}

/** The prefix in a key that `numberingKeyOf` has made, whose tax number has no space. */
export const prefixInKey = (numberingKey: string): string => numberingKey.slice(numberingKey.indexOf(" ") + 1);

/** A prefix to propose to an account: its own or `INV-`, and a mark made from its id. It may still be taken. */
export function proposedPrefix(accountId: string, prefix: string | null): string {
  const mark = `${createHash("sha256").update(accountId).digest("hex").slice(0, 4).toUpperCase()}-`;
  return `${(prefix ?? "INV-").slice(0, limits.invoice.prefix - mark.length)}${mark}`;
}

/** The preferences of an account that has set none. */
export const noPreferences: Preferences = {
  default_currency: null,
  locale: null,
  timezone: null,
  statement_descriptor: null,
  reminder_hour: null,
  notifications: {},
  branding: { color: null, logo_url: null },
};

/** Applies a patch: absent fields stay, null clears, objects merge. A patch cannot change the logo. */
export function mergePreferences(current: Preferences, patch: PreferencesIn | null): Preferences {
  const { logo_url } = current.branding;
  if (patch === null) return { ...noPreferences, branding: { color: null, logo_url } };
  const kept = <T>(given: T | undefined, before: T): T => (given === undefined ? before : given);
  return {
    default_currency: kept(patch.default_currency, current.default_currency),
    locale: kept(patch.locale, current.locale),
    timezone: kept(patch.timezone, current.timezone),
    statement_descriptor: kept(patch.statement_descriptor, current.statement_descriptor),
    reminder_hour: kept(patch.reminder_hour, current.reminder_hour),
    notifications: mergeKeys(current.notifications, patch.notifications),
    branding: { color: patch.branding === null ? null : kept(patch.branding?.color, current.branding.color), logo_url },
  };
}

/** The same for `preferences.invoice`, which has a column of its own; null where nothing is set. */
export function mergeInvoicePreferences(
  current: InvoicePreferences | null,
  patch: PreferencesIn | null | undefined,
): InvoicePreferences | null {
  if (patch === null || patch?.invoice === null) return null;
  if (patch?.invoice === undefined) return current;
  const { address, ...texts } = patch.invoice;
  const given = Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined));
  const before = current ?? noInvoicePreferences;
  return { ...before, ...given, address: patchedAddress(before.address, address) };
}

/** Applies a patch: keys merge, a key set to null is removed, a patch of null clears everything. */
export const mergeMetadata = (current: Metadata, patch: Record<string, string | null> | null | undefined): Metadata =>
  mergeKeys(current, patch);

function mergeKeys<T>(current: Record<string, T>, patch: Record<string, T | null> | null | undefined) {
  if (patch === undefined) return current;
  const merged = new Map(Object.entries(patch === null ? {} : current));
  for (const [key, value] of Object.entries(patch ?? {})) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

/** The path of a logo; its image never changes. */
export const logoPathOf = ({ hash, type }: { hash: string; type: (typeof logoTypes)[number] }): string =>
  `/logo/${hash}.${type === "image/png" ? "png" : "jpg"}`;

/** Whether the scope includes an account of its organization. */
export const isInScope = (scope: Scope, account: { id: string; ownerUserId: string | null }): boolean =>
  (scope.ownerUserId === null || scope.ownerUserId === account.ownerUserId) &&
  (scope.accountId === null || scope.accountId === account.id);

/**
 * The version of the record and of what changes without it, so that a conditional read never hides money that moved, nor
 * another account with the same prefix. `If-Match` compares only the record's part.
 */
export function accountTag({ balances, preferences, updated_at }: Account): string {
  const others = JSON.stringify([balances, preferences.invoice.prefix_conflict]);
  return `${recordVersion(updated_at)}.${createHash("sha256").update(others).digest("base64url").slice(0, 16)}`;
}
