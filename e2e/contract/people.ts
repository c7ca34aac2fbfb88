// People and organizations for the contract tests. Every test creates its own, so that tests do not see each other's.
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import path from "node:path";
import { promisify } from "node:util";
import { bundleOf } from "../../test/program";
import { type Api, type ApiReply, signIn, type TokenPair } from "../api";
import type { TestServer } from "../server";

const root = path.resolve(import.meta.dirname, "../..");
export const memberPassword = "a long enough passphrase";

export type Person = {
  userId: string;
  accountId: string;
  organizationId: string;
  email: string;
  /** Access token. */
  token: string;
  tokens: TokenPair;
};

export type UserBody = { user_id: string; account_id: string; organization_id: string; email: string };
export type TransactionBody = { transaction_id: string; account_id: string; status: string; amount: number };
export type PaymentBody = { payment_id: string; account_id: string; status: string; payment_url: string };

/** A unique e-mail address. */
export const newEmail = (): string => `person-${randomUUID()}@example.com`;

/** A unique text for keys and references. */
export const unique = (): string => randomUUID();

/** Signs a member up and in. Throws if the server refuses either. */
export async function newMember(api: Api, given: Record<string, unknown> = {}): Promise<Person> {
  const email = newEmail();
  const user = succeeded(
    await api<UserBody>("POST", "/v1/users", { body: { email, password: memberPassword, ...given } }),
  );
  const tokens = await signIn(api, email, memberPassword);
  return {
    userId: user.user_id,
    accountId: user.account_id,
    organizationId: user.organization_id,
    email,
    token: tokens.access_token,
    tokens,
  };
}

/** Creates a second organization and its first admin on the command line, as an operator would. */
export async function newOrganization(server: TestServer, api: Api): Promise<Person> {
  const email = newEmail();
  const args = ["organization", "create", "--name", `Organization ${unique()}`, "--email", email];
  const printed = await runProgram(server, "server/cli.ts", args, { QUITTANCE_PASSWORD: memberPassword });
  const idOf = (prefix: string) => new RegExp(`\\b${prefix}_\\w{26}\\b`).exec(printed)?.[0] ?? "";
  const tokens = await signIn(api, email, memberPassword);
  return {
    userId: idOf("usr"),
    accountId: idOf("acct"),
    organizationId: idOf("org"),
    email,
    token: tokens.access_token,
    tokens,
  };
}

/** The password reset link that the command line prints for a user. */
export async function resetLink(server: TestServer, email: string): Promise<string> {
  const args = ["user", "reset-password", email];
  const printed = await runProgram(server, "server/cli.ts", args, { APP_URL: server.url });
  return /https?:\S+\/reset-password\/\S+/.exec(printed)?.[0] ?? "";
}

/** Runs a program of the repository on the server's database; resolves with its output, rejects if it fails. */
export async function runProgram(
  server: TestServer,
  program: string,
  args: string[] = [],
  env: Record<string, string> = {},
): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [await bundleOf(program), ...args], {
    cwd: root,
    env: {
      PATH: process.env.PATH ?? "",
      HOME: process.env.HOME ?? "",
      DATABASE_URL: server.databaseUrl,
      DATA_DIR: server.dataDir,
      QUITTANCE_PASSWORD: memberPassword,
      SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
      NODE_ENV: "production",
      ...env,
    },
  });
  return stdout;
}

/** The body of a response that must be a success. */
export function succeeded<T>(reply: ApiReply<T>): T {
  if (reply.status !== 200) throw new Error(`answered ${reply.status}: ${reply.text}`);
  return reply.body;
}

/** Records a payment in EUR that the person's account received outside the pay page. */
export async function receive(api: Api, person: Person, amount: number, given: Record<string, unknown> = {}) {
  const body = { type: "payment", amount, currency: "EUR", account_id: person.accountId, ...given };
  return succeeded(await api<TransactionBody>("POST", "/v1/transactions", { token: person.token, body }));
}

/** Creates a payment request of the person's account in EUR. */
export async function requestPayment(api: Api, person: Person, amount = 1250, given: Record<string, unknown> = {}) {
  const body = { type: "product", amount, currency: "EUR", account_id: person.accountId, ...given };
  return succeeded(await api<PaymentBody>("POST", "/v1/payments", { token: person.token, body }));
}
