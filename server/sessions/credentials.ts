// Checking an e-mail address and a password, shared by every way of signing in: count, verify outside, admit.
import type { ReadContext, WriteContext } from "../kit/context";
import { Failure } from "../kit/errors";
import { foldEmail } from "../kit/fields";
import type { Fail } from "../kit/operation";
import { verifyPassword } from "../kit/password";
import { addressBucketOf, bucketOf, giveBack, reserve, type Throttle } from "../kit/throttle";
import { findByEmail, holdUser, ownsOpenAccount, type UserRow } from "./user-store";

/** No lock lasts longer than this, so that nobody can shut a user out. */
const windowMs = 15 * 60_000;

interface Credentials {
  email: string;
  password: string;
}

/** What verifying came to. It stays in memory: a saga's intent would be stored. */
export type Verified =
  | { outcome: "right"; userId: string; passwordHash: string }
  | { outcome: "wrong"; userId: string | null }
  | { outcome: "busy"; failure: Failure };

function throttlesOf({ runtime, request }: ReadContext | WriteContext, email: string): Throttle[] {
  const { loginFailuresPerUser, loginFailuresPerIp } = runtime.env;
  return [
    { bucket: bucketOf("login", foldEmail(email)), limit: loginFailuresPerUser, windowMs },
    { bucket: addressBucketOf("login_address", request.ip), limit: loginFailuresPerIp, windowMs },
  ];
}

/** First transaction: counts the try before its password is verified, alike for known and unknown users. */
export async function countTry(ctx: WriteContext, { email }: Credentials) {
  await reserve(ctx.db, ctx.now, throttlesOf(ctx, email));
  return { intent: {} };
}

/** Outside any transaction: verifies the password, for an unknown user against a hash that nothing matches. */
export async function verifyCredentials(ctx: ReadContext, { email, password }: Credentials): Promise<Verified> {
  const user = await findByEmail(ctx.db, foldEmail(email));
  const passwordHash = user?.passwordHash ?? null;
  try {
    const isRight = await verifyPassword(passwordHash, password);
    if (!user || passwordHash === null || !isRight) return { outcome: "wrong", userId: user?.id ?? null };
    return { outcome: "right", userId: user.id, passwordHash };
  } catch (error) {
    // Thrown on from the next transaction, which gives the counted try back first.
    if (error instanceof Failure) return { outcome: "busy", failure: error };
    throw error;
  }
}

/**
 * Second transaction: the user who may now have a session, held. Every refusal stays on record; a wrong password stays
 * counted, everything else is given back.
 */
export async function admit(
  ctx: WriteContext,
  { email }: Credentials,
  verified: Verified,
  failAfterCommit: Fail<"invalid_credentials" | "account_closed">,
): Promise<UserRow> {
  if (verified.outcome === "wrong") {
    ctx.audit({ target: verified.userId, detail: { outcome: "invalid_credentials" } });
    return failAfterCommit("invalid_credentials");
  }
  await giveBack(ctx.db, ctx.now, throttlesOf(ctx, email));
  if (verified.outcome === "busy") {
    ctx.audit({ target: null, detail: { outcome: "unavailable" } });
    const { code, status, message, headers } = verified.failure;
    throw new Failure(code, status, message, headers, true);
  }
  const user = await holdUser(ctx.db, verified.userId);
  // Since the password was verified the user may have been removed, or the password changed.
  if (user?.status !== "active" || user.passwordHash !== verified.passwordHash) {
    ctx.audit({ target: verified.userId, detail: { outcome: "invalid_credentials" } });
    return failAfterCommit("invalid_credentials");
  }
  if (user.role === "member" && !(await ownsOpenAccount(ctx.db, user.id))) {
    ctx.audit({ target: user.id, organizationId: user.organizationId, detail: { outcome: "account_closed" } });
    return failAfterCommit("account_closed");
  }
  return user;
}
