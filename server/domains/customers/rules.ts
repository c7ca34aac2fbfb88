// Rules of customers that need no database: what a patch makes of one.
import type { Address, Metadata } from "@/db/schema/values";
import { mergeMetadata } from "@/server/domains/accounts/rules";
import { patchedAddress } from "@/server/kit/address-fields";
import { foldEmail } from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { indexedWordsOf } from "@/server/kit/words";
import type { GivenFields } from "./schema";

/** The columns that callers decide about. */
export interface CustomerContent {
  name: string | null;
  email: string | null;
  phone: string | null;
  address: Address | null;
  taxId: string | null;
  reference: string | null;
  locale: string | null;
  metadata: Metadata;
}

export const emptyContent: CustomerContent = {
  ...{ name: null, email: null, phone: null, address: null, taxId: null, reference: null, locale: null },
  metadata: {},
};

/** Applies a patch: an absent field stays, null clears, objects merge. */
export function patched(current: CustomerContent, patch: GivenFields): CustomerContent {
  const kept = <T>(given: T | undefined, before: T): T => (given === undefined ? before : given);
  return {
    name: kept(patch.name, current.name),
    email: kept(patch.email, current.email),
    phone: kept(patch.phone, current.phone),
    address: patchedAddress(current.address, patch.address),
    taxId: kept(patch.tax_id, current.taxId),
    reference: kept(patch.reference, current.reference),
    locale: kept(patch.locale, current.locale),
    metadata: mergeMetadata(current.metadata, patch.metadata),
  };
}

/** Why a customer cannot look like this; null if it can. */
export function faultOf({ name, email, reference, metadata }: CustomerContent): string | null {
  if (name === null && email === null && reference === null) {
    return "name: is required without email and reference";
  }
  return Object.keys(metadata).length > limits.metadata.keys ? `metadata: at most ${limits.metadata.keys} keys` : null;
}

/** Whether two customers can be merged: they differ, belong to one account, and neither was merged or erased before. */
export const areMergeable = (one: Lasting, other: Lasting): boolean =>
  one.id !== other.id && one.accountId === other.accountId && isCurrent(one) && isCurrent(other);

/** Whether it is neither merged nor erased, so that it can be changed. */
export const isCurrent = ({ mergedInto, erasedAt }: Pick<Lasting, "mergedInto" | "erasedAt">): boolean =>
  mergedInto === null && erasedAt === null;

/** Why a customer that was merged or erased cannot be changed. */
export const describeGone = ({ mergedInto }: Pick<Lasting, "mergedInto">): string =>
  mergedInto === null
    ? "The personal data of this customer was erased."
    : `This customer was merged into ${mergedInto}: name that one instead.`;

interface Lasting {
  id: string;
  accountId: string;
  mergedInto: string | null;
  erasedAt: number | null;
}

export const emailKeyOf = (email: string | null): string | null => (email === null ? null : foldEmail(email));

/** The words that a customer is found by, the most telling first. */
export const customerWordsOf = ({ name, email, reference, phone, taxId }: CustomerContent): string[] =>
  indexedWordsOf(reference, name, email, phone, taxId);
