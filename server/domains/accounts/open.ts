// Opens an account within a transaction: for its own operation, a new user or a new organization.
import type { Tx } from "@/db/client";
import type { Metadata } from "@/db/schema/values";
import type { EventRecord } from "@/server/kit/context";
import { foldEmail } from "@/server/kit/fields";
import type { IdPrefix } from "@/server/kit/ids";
import { searchTextOf } from "@/server/kit/words";
import { mergeInvoicePreferences, mergePreferences, noPreferences, numberingKeyOf } from "./rules";
import type { Account, PreferencesIn } from "./schema";
import { type AccountRow, insertAccount } from "./store";

interface Opening {
  organizationId: string;
  ownerUserId: string | null;
  accountType: Account["account_type"];
  accountName: string;
  email: string;
  preferences?: PreferencesIn | null;
  metadata?: Metadata | null;
}

interface OpeningContext {
  db: Tx;
  now: number;
  id(prefix: IdPrefix): string;
  emit(event: EventRecord): void;
}

/** Inserts the open account and emits its event. The caller has checked and locked the owner. */
export async function openAccount(ctx: OpeningContext, opening: Opening, id = ctx.id("acct")): Promise<AccountRow> {
  const { organizationId, ownerUserId, accountType, accountName, email } = opening;
  const invoicePreferences = mergeInvoicePreferences(null, opening.preferences);
  const row = await insertAccount(ctx.db, {
    id,
    organizationId,
    ownerUserId,
    accountType,
    name: accountName,
    email,
    emailKey: foldEmail(email),
    searchText: searchTextOf(accountName, email),
    preferences: opening.preferences ? mergePreferences(noPreferences, opening.preferences) : noPreferences,
    invoicePreferences,
    numberingKey: numberingKeyOf(invoicePreferences),
    metadata: opening.metadata ?? {},
    status: "open",
    createdAt: ctx.now,
    updatedAt: ctx.now,
  });
  ctx.emit({
    type: "account.created",
    object: row.id,
    accountId: row.id,
    organizationId,
    data: { account_id: row.id, account_type: accountType, owner_user_id: ownerUserId, status: "open" },
    first: true,
  });
  return row;
}
