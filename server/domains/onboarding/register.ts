// Creates a user with an account within a transaction: for its own operation or a new organization.
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
  accountId: string;
  organizationId: string;
  email: string;
  name: string | null;
  passwordHash: string;
  role: User["role"];
  account: {
    accountType: Account["account_type"];
    accountName: string;
    email: string;
    preferences?: PreferencesIn | null;
  };
}

interface RegistrationContext {
  db: Tx;
  now: number;
  id(prefix: IdPrefix): string;
  emit(event: EventRecord): void;
}

/** Inserts the user and their account and emits an event for each; undefined if another user has the address. */
export async function registerUser(ctx: RegistrationContext, given: Registration): Promise<UserRow | undefined> {
  const { userId, accountId, organizationId, role } = given;
  const user = await insertUser(ctx.db, {
    id: userId,
    organizationId,
    accountId,
    email: given.email,
    emailKey: foldEmail(given.email),
    name: given.name,
    searchText: searchTextOf(given.name, given.email),
    passwordHash: given.passwordHash,
    role,
    status: "active",
    createdAt: ctx.now,
  });
  if (!user) return undefined;
  await openAccount(ctx, { organizationId, ownerUserId: userId, ...given.account }, accountId);
  const data = { user_id: userId, account_id: accountId, role, status: "active" };
  ctx.emit({ type: "user.created", object: userId, organizationId, data, first: true });
  return user;
}
