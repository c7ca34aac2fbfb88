// The client that openapi-typescript describes and openapi-fetch runs, and the people who use it.
import createClient from "openapi-fetch";
import type { paths } from "../../generated/openapi-fetch";
import { answered, newEmail, password, type Start } from "../walk";

/** A client that sends this token, or none. openapi-fetch has to be configured to write lists with commas. */
export const clientOf = ({ baseUrl, fetch }: Start, token?: string) =>
  createClient<paths>({
    baseUrl,
    fetch,
    headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
    querySerializer: { array: { style: "form", explode: false }, object: { style: "deepObject", explode: true } },
  });

export type Client = ReturnType<typeof clientOf>;

export interface Person {
  client: Client;
  email: string;
  userId: string;
  accountId: string;
  sessionId: string;
  refreshToken: string;
}

/** Signs in; resolves with the tokens and a client that sends the access token. */
export async function signIn(start: Start, email: string, secret = password) {
  const body = { email, password: secret, device_id: "walk", client_version: "1.0" };
  const tokens = answered(await clientOf(start).POST("/v1/auth/login", { body }));
  return { tokens, client: clientOf(start, tokens.access_token) };
}

/** Signs a member up and in. */
export async function newMember(start: Start): Promise<Person> {
  const email = newEmail();
  const body = { email, password, name: "Grace Hopper" };
  const user = answered(await clientOf(start).POST("/v1/users", { body }));
  const { tokens, client } = await signIn(start, email);
  if (user.account_id === null) throw new Error("The member has no account.");
  const { session_id: sessionId, refresh_token: refreshToken } = tokens;
  return { client, email, userId: user.user_id, accountId: user.account_id, sessionId, refreshToken };
}
