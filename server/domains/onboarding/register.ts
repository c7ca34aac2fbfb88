// Creates a user, with an account or without, within a transaction: for its own operation or a new organization.
import type { Tx } from "@/db/client";
import { openAccount } from "@/server/domains/accounts/open";
import type { Account, PreferencesIn } from "@/server/domains/accounts/schema";
import type { User } from "@/server/domains/users/schema";
import { insertUser, type UserRow } from "@/server/domains/users/store";
import type { EventRecord } from "@/server/kit/context";
import { foldEmail } from "@/server/kit/fields";
import type { IdPrefix } from "@/server/kit/ids";
import { searchTextOf } from "@/server/kit/words";

interface Registration {
  userId: string;
  organizationId: string;
  email: string;
  /** When the user proved the address (epoch ms); null if that is still to come. */
  emailVerifiedAt: number | null;
  name: string | null;
  passwordHash: string;
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

interface RegistrationContext {
  db: Tx;
  now: number;
  id(prefix: IdPrefix): string;
  emit(event: EventRecord): void;
}

/**
 * Inserts the user and their account, if any, and emits an event for each; undefined if another user has the address.
 */
export async function registerUser(ctx: RegistrationContext, given: Registration): Promise<UserRow | undefined> {
  const { userId, organizationId, role, account } = given;
  const user = await insertUser(ctx.db, {
    id: userId,
    organizationId,
    accountId: account?.accountId ?? null,
    email: given.email,
    emailKey: foldEmail(given.email),
    emailVerifiedAt: given.emailVerifiedAt,
    name: given.name,
    searchText: searchTextOf(given.name, given.email),
    passwordHash: given.passwordHash,
    role,
    status: "active",
    createdAt: ctx.now,
  });
  if (!user) return undefined;
  if (account) await openAccount(ctx, { organizationId, ownerUserId: userId, ...account }, account.accountId);
  const data = { user_id: userId, account_id: user.accountId, role, status: "active" };
  ctx.emit({ type: "user.created", object: userId, organizationId, data, first: true });
  return user;
}
