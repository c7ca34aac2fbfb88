// Users who can sign in, and calls with the credentials they receive.
import { eq } from "drizzle-orm";
import type * as z from "zod";
import { users } from "@/db/tables";
import { login } from "@/server/domains/sessions/operations/login";
import { signIn } from "@/server/domains/sessions/operations/sign-in";
import type { CallRequest } from "@/server/kit/context";
import type { Operation } from "@/server/kit/operation";
import { perform } from "@/server/pipeline/perform";
import { hashPassword } from "@/server/secrets/password";
import { apiKey, type KeySettings } from "./people";
import { callRequest, type TestUser, type World } from "./world";

export const password = "correct horse battery staple";
let hashed: Promise<string> | undefined;

/** Gives the user the {@link password}. */
export async function givePassword(world: World, user: TestUser): Promise<void> {
  hashed ??= hashPassword(password, null);
  const passwordHash = await hashed;
  await world.runtime.db.write(async (tx) => {
    await tx.update(users).set({ passwordHash }).where(eq(users.id, user.id));
  });
}

/** Makes a call as the transport does, for the caller whom the credential identifies. */
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

/** Gives the user the {@link password} and signs in. */
export async function signInAs(world: World, user: TestUser, more: { device_id?: string } = {}) {
  await givePassword(world, user);
  return callWith(world, login, {}, { email: user.email, password, ...more });
}

/** Creates an API key, by default with the scopes for sessions. */
export const makeApiKey = (
  world: World,
  organizationId: string,
  { scopes = ["sessions:read", "sessions:write"], ...given }: KeySettings & { scopes?: string[] } = {},
) => apiKey(world, organizationId, scopes, given);

/** Collects the cookies that a call sets: names and values, and each whole `Set-Cookie` header. */
export function cookieJar() {
  const headers: string[] = [];
  return {
    headers,
    request: { setCookie: (cookie: string) => void headers.push(cookie) } satisfies Partial<CallRequest>,
    /** The value set last; null if there is none. */
    value(name: string): string | null {
      const set = headers.findLast((header) => header.startsWith(`${name}=`));
      return set?.slice(name.length + 1).split(";")[0] ?? null;
    },
  };
}

/** Gives the user the {@link password} and signs in as the dashboard does. Resolves to the Cookie header. */
export async function signInByCookie(world: World, user: TestUser): Promise<string> {
  await givePassword(world, user);
  const jar = cookieJar();
  await callWith(world, signIn, jar.request, { email: user.email, password });
  return `quittance_session=${jar.value("quittance_session")}`;
}
