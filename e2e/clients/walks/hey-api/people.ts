// The client that @hey-api/openapi-ts generates, and the people who use it.
import { sessionsLogin, usersCreate } from "../../generated/hey-api";
import { type Client, createClient, createConfig } from "../../generated/hey-api/client";
import { answered, newEmail, password, type Start } from "../walk";

/** A client that sends this token, or none. */
export const clientOf = ({ baseUrl, fetch }: Start, token?: string): Client =>
  createClient(createConfig({ baseUrl, fetch, auth: token }));

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
  const tokens = answered(await sessionsLogin({ client: clientOf(start), body }));
  return { tokens, client: clientOf(start, tokens.access_token) };
}

/** Signs a member up and in. */
export async function newMember(start: Start): Promise<Person> {
  const email = newEmail();
  const body = { email, password, name: "Grace Hopper" };
  const user = answered(await usersCreate({ client: clientOf(start), body }));
  const { tokens, client } = await signIn(start, email);
  if (user.account_id === null) throw new Error("The member has no account.");
  const { session_id: sessionId, refresh_token: refreshToken } = tokens;
  return { client, email, userId: user.user_id, accountId: user.account_id, sessionId, refreshToken };
}
