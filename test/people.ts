// Callers for tests: anonymous, API keys, and users who have signed up and in with real tokens.
import { randomInt } from "node:crypto";
import { eq } from "drizzle-orm";
import type * as z from "zod";
import type { UserRole } from "@/db/schema/values";
import { users } from "@/db/tables";
import { createApiKey } from "@/server/domains/api-keys/operations/create";
import { createUser } from "@/server/domains/onboarding/operations/create-user";
import { login } from "@/server/domains/sessions/operations/login";
import { findAdminIds } from "@/server/domains/users/store";
import type { Actor, CallRequest } from "@/server/kit/context";
import type { Operation } from "@/server/kit/operation";
import { perform } from "@/server/pipeline/perform";
import { callRequest, type World } from "./world";

export const anonymous: Actor = { type: "anonymous" };
export const password = "a long enough passphrase";
/** Only digits are random, so that no search for a word matches by chance. */
export const newEmail = (): string => `person-${randomInt(2 ** 47)}@example.com`;

export interface ApiKey {
  id: string;
  /** The Bearer token. */
  token: string;
  actor: Actor;
}

export interface KeySettings {
  accountId?: string;
  /** An admin of the organization; by default its first. */
  createdBy?: string;
  /** Epoch ms. */
  expiresAt?: number;
}

/** Lets an admin of the organization create an API key. */
export async function apiKey(
  world: World,
  organizationId: string,
  scopes: string[],
  { accountId, createdBy, expiresAt }: KeySettings = {},
): Promise<ApiKey> {
  const [adminId = ""] = await findAdminIds(world.runtime.db.read, organizationId);
  const admin: Actor = {
    ...{ type: "user", userId: createdBy ?? adminId, organizationId, role: "admin", sessionId: world.id("ses") },
    ...{ sessionKind: "api", authenticatedAt: world.clock.now() },
  };
  const made = await world.call(
    createApiKey,
    admin,
    {
      ...{ name: "Test", scopes, account_id: accountId ?? null },
      expires_at: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
    },
    { ip: null },
  );
  const keyId = made.api_key_id;
  const actor: Actor = { type: "api_key", keyId, organizationId, scopes: made.scopes, accountId: made.account_id };
  return { id: keyId, token: made.secret ?? "", actor };
}

/** The actor of a key that is bound to the account, with scopes that creating such a key refuses. */
export const boundTo = (accountId: string, unbound: Actor): Actor => ({ ...unbound, accountId }) as Actor;

export interface Person {
  userId: string;
  accountId: string;
  email: string;
  accessToken: string;
  actor: Actor;
}

/** Creates a user through an admin of the organization. The password is {@link password}. */
export const createUserOf = (world: World, admin: Actor, given: { name?: string; role: UserRole }) =>
  world.call(createUser, admin, { email: newEmail(), password, ...given });

/** Lets an admin of the organization create a user, who verifies the e-mail address and signs in. */
export async function newPerson(world: World, admin: Actor, role: UserRole = "member"): Promise<Person> {
  const user = await createUserOf(world, admin, { role });
  await world.runtime.db.write(async (tx) => {
    await tx.update(users).set({ emailVerifiedAt: world.clock.now() }).where(eq(users.id, user.user_id));
  });
  const { email } = user;
  const { accessToken, sessionId } = await signIn(world, email);
  const actor: Actor = {
    ...{ type: "user", userId: user.user_id, organizationId: user.organization_id, role, sessionId },
    ...{ sessionKind: "api", authenticatedAt: world.clock.now() },
  };
  return { userId: user.user_id, accountId: user.account_id ?? "", email, accessToken, actor };
}

/** Opens an API session. */
export async function signIn(world: World, email: string): Promise<{ accessToken: string; sessionId: string }> {
  const pair = await world.call(login, anonymous, { email, password });
  return { accessToken: pair.access_token, sessionId: pair.session_id };
}

/** Calls as a client does: only the credential identifies the caller. */
export const callWith = <I extends z.ZodType, O extends z.ZodType>(
  world: World,
  operation: Operation<I, O>,
  token: string,
  input: z.input<I>,
  request: Partial<CallRequest> = {},
) =>
  perform(
    operation,
    input,
    callRequest(world.runtime, { bearer: `Bearer ${token}`, ...request }),
    world.runtime,
  ) as Promise<z.output<O>>;
