// Users who can sign in, and calls made with the credential they got.
import { eq } from "drizzle-orm";
import type * as z from "zod";
import { apiKeys, users } from "@/db/tables";
import type { CallRequest } from "../kit/context";
import type { Operation } from "../kit/operation";
import { hashPassword } from "../kit/password";
import { hashToken, last4, mintToken } from "../kit/secret";
import { perform } from "../pipeline";
import { login } from "../sessions/login";
import { callRequest, type TestUser, type World } from "./world";

export const password = "correct horse battery staple";
let hashed: Promise<string> | undefined;

/** Gives the user the {@link password}. */
export async function givePassword(world: World, user: TestUser): Promise<void> {
  hashed ??= hashPassword(password);
  const passwordHash = await hashed;
  await world.runtime.db.write(async (tx) => {
    await tx.update(users).set({ passwordHash }).where(eq(users.id, user.id));
  });
}

/** Makes a call as the transport does: whoever the credential in the request names. */
export function callWith<I extends z.ZodType, O extends z.ZodType>(
  world: World,
  operation: Operation<I, O>,
  request: Partial<CallRequest>,
  input: z.input<I>,
): Promise<z.output<O>> {
  return perform(operation, input, callRequest(world.runtime, request), world.runtime) as Promise<z.output<O>>;
}

/** The Authorization header with a token. */
export const bearer = (token: string): Partial<CallRequest> => ({ bearer: `Bearer ${token}` });

/** Signs the user in; gives it the {@link password} before. */
export async function signInAs(world: World, user: TestUser, more: { device_id?: string } = {}) {
  await givePassword(world, user);
  return callWith(world, login, {}, { email: user.email, password, ...more });
}

interface KeySettings {
  scopes?: string[];
  accountId?: string | null;
  expiresAt?: number | null;
  revokedAt?: number | null;
}

/** An API key of the organization, which only the test's own store makes so far. */
export async function makeApiKey(world: World, organizationId: string, settings: KeySettings = {}) {
  const id = world.id("key");
  const token = mintToken("apiKey", Buffer.from(hashToken(id), "hex"));
  await world.runtime.db.write(async (tx) => {
    await tx.insert(apiKeys).values({
      id,
      organizationId,
      accountId: settings.accountId ?? null,
      name: "Test",
      hash: hashToken(token),
      last4: last4(token),
      scopes: settings.scopes ?? ["sessions:read", "sessions:write"],
      expiresAt: settings.expiresAt ?? null,
      revokedAt: settings.revokedAt ?? null,
      createdAt: world.clock.now(),
    });
  });
  return { id, token };
}
