// Callers for tests: anonymous, API keys, and users who have signed up and in with real tokens.
import { randomInt, randomUUID } from "node:crypto";
import type * as z from "zod";
import type { UserRole } from "@/db/schema/values";
import { apiKeys } from "@/db/tables";
import { createUser } from "@/server/domains/onboarding/operations/create-user";
import { login } from "@/server/domains/sessions/operations/login";
import type { Actor, CallRequest } from "@/server/kit/context";
import type { Operation } from "@/server/kit/operation";
import { perform } from "@/server/pipeline/perform";
import { hashToken, mintToken } from "@/server/secrets/secret";
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
  createdBy?: string;
  expiresAt?: number;
  revokedAt?: number;
}

/** Creates an API key of the organization, with a row, so that it can be revoked. */
export async function apiKey(
  world: World,
  organizationId: string,
  scopes: string[],
  given: KeySettings = {},
): Promise<ApiKey> {
  const { accountId = null, createdBy = null, expiresAt = null, revokedAt = null } = given;
  const keyId = world.id("key");
  const token = mintToken("apiKey", Buffer.from(randomUUID().replaceAll("-", "")));
  await world.runtime.db.write(async (tx) => {
    await tx.insert(apiKeys).values({
      ...{ id: keyId, organizationId, accountId, createdBy, scopes, expiresAt, revokedAt },
      name: "Test",
      hash: hashToken(token),
      last4: token.slice(-4),
      createdAt: world.clock.now(),
    });
  });
  return { id: keyId, token, actor: { type: "api_key", keyId, organizationId, scopes, accountId } };
}

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

/** Lets an admin of the organization create a user, who then signs in. */
export async function newPerson(world: World, admin: Actor, role: UserRole = "member"): Promise<Person> {
  const user = await createUserOf(world, admin, { role });
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
