// Creates an organization within a transaction, with its first account and the admin who owns it.
import { insertClock } from "@/server/domains/organizations/clock-store";
import { insertOrganization } from "@/server/domains/organizations/store";
import type { WriteContext } from "@/server/kit/context";
import { registerUser } from "./register";

/** Locked while the first organization is created, so that two processes or pages cannot both create one. */
export const firstOrganizationLock = "organizations.first";

export interface Founding {
  organizationName: string;
  email: string;
  /** The admin's own name, if given. */
  name: string | null;
  /** The organization's time zone (IANA), if known. */
  timezone?: string | null;
  passwordHash: string;
}

export interface Founded {
  organizationId: string;
  userId: string;
  accountId: string;
}

/**
 * Inserts a sandbox organization, its first account (business, named after it) and its first admin. Undefined if a user
 * already has the address: the caller must then roll the transaction back.
 */
export async function foundOrganization(ctx: WriteContext, given: Founding): Promise<Founded | undefined> {
  const { organizationName, email, name, timezone = null, passwordHash } = given;
  const founded = { organizationId: ctx.id("org"), userId: ctx.id("usr"), accountId: ctx.id("acct") };
  await insertOrganization(ctx.db, {
    id: founded.organizationId,
    name: organizationName,
    mode: "sandbox",
    timezone,
    createdAt: ctx.now,
  });
  await insertClock(ctx.db, founded.organizationId);
  const admin = await registerUser(ctx, {
    organizationId: founded.organizationId,
    userId: founded.userId,
    email,
    // The operator of the instance chose this address, so it needs no proof.
    emailVerifiedAt: ctx.now,
    name,
    passwordHash,
    hasGivenPassword: false,
    role: "admin",
    account: { accountId: founded.accountId, accountType: "business", accountName: organizationName, email },
  });
  if (!admin) return undefined;
  ctx.audit({
    target: founded.organizationId,
    organizationId: founded.organizationId,
    actor: { type: "system", id: null },
    detail: { user_id: founded.userId, account_id: founded.accountId },
  });
  return founded;
}
