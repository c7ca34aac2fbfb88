// Members and their payment requests, for the tests of the dashboard.
import type { Api } from "../api";
import { expect } from "../fixtures";

export const listPath = "/dashboard/payment-requests";
export const pathOf = (id: string) => `${listPath}/${id}`;

export interface Person {
  email: string;
  password: string;
  token: string;
  userId: string;
  accountId: string;
}

export interface Payment {
  payment_id: string;
  payment_url: string;
  status: string;
  amount_paid: number;
  amount_refunded: number;
  amount_released: number;
  transaction_ids: string[];
}

/** A POST that must succeed. */
export async function sent<T>(api: Api, token: string, path: string, body: object): Promise<T> {
  const reply = await api<T>("POST", path, { token, body });
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

export async function newMember(api: Api, adminToken: string): Promise<Person> {
  const person = { email: `member-${crypto.randomUUID()}@example.com`, password: "a long enough passphrase" };
  const user = await sent<{ user_id: string; account_id: string }>(api, adminToken, "/v1/users", person);
  const { access_token } = await sent<{ access_token: string }>(api, "", "/v1/auth/login", person);
  return { ...person, token: access_token, userId: user.user_id, accountId: user.account_id };
}

/** Creates a payment request of the member, by default for €300.00. */
export const ask = (api: Api, { token }: Person, given: object): Promise<Payment> =>
  sent(api, token, "/v1/payments", { type: "product", amount: 30_000, currency: "EUR", ...given });

export const paymentOf = async (api: Api, { token }: Person, id: string): Promise<Payment> =>
  (await api<Payment>("GET", `/v1/payments/${id}`, { token })).body;
