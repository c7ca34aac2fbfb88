// Creates a user, with an account or without, within a transaction: for its own operation or a new organization.

import { openAccount } from "@/server/domains/accounts/open";
import type { Account, PreferencesIn } from "@/server/domains/accounts/schema";
import { isReserved } from "@/server/domains/addresses/store";
import { notifyOfNewAdmin } from "@/server/domains/users/notices";
import type { User } from "@/server/domains/users/schema";
import { insertUser, type UserRow } from "@/server/domains/users/store";
import type { WriteContext } from "@/server/kit/context";
import { foldEmail } from "@/server/kit/fields";
import { searchTextOf } from "@/server/kit/words";

interface Registration {
  userId: string;
  organizationId: string;
  email: string;
  /** When the user verified the address (epoch ms); null if that is still to come. */
  emailVerifiedAt: number | null;
  name: string | null;
  /** BCP 47; null for what the browser asks for. */
  locale?: string | null;
  passwordHash: string;
  /** Whether somebody else chose the password. */
  hasGivenPassword: boolean;
  role: User["role"];
  /** The account that the user gets; null for none. */
  account: {
    accountId: string;
    accountType: Account["account_type"];
    accountName: string;
    email: string;
    preferences?: PreferencesIn | null;
  } | null;
}

/**
 * Inserts the user and their account, if any, and emits an event for each; undefined if another user has the
 * address, or can still get it back: the caller must then roll the transaction back.
 * Tells the other admins of a new one.
 */
export async function registerUser(ctx: WriteContext, given: Registration): Promise<UserRow | undefined> {
  const { userId, organizationId, role, account } = given;
  const user = await insertUser(ctx.db, {
    id: userId,
    organizationId,
    accountId: account?.accountId ?? null,
    email: given.email,
    emailKey: foldEmail(given.email),
    emailVerifiedAt: given.emailVerifiedAt,
    name: given.name,
    locale: given.locale ?? null,
    searchText: searchTextOf(given.name, given.email),
    passwordHash: given.passwordHash,
    hasGivenPassword: given.hasGivenPassword,
    role,
    status: "active",
    createdAt: ctx.now,
  });
  // Read after the insertion, which waits for a change of address that frees this one and reserves it.
  const emailKey = foldEmail(given.email);
  if (!user || (await isReserved(ctx.db, { emailKey, userId, now: ctx.now }))) return undefined;
  if (account) await openAccount(ctx, { organizationId, ownerUserId: userId, ...account }, account.accountId);
  const data = { user_id: userId, account_id: user.accountId, role, status: "active" };
  ctx.emit({ type: "user.created", object: userId, organizationId, data, first: true });
  await notifyOfNewAdmin(ctx, user);
  return user;
}
