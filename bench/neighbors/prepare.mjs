// The setting of the attacks: many transactions, two callers with the largest rows allowed, and a few other users.
import { randomUUID } from "node:crypto";
import { seed } from "../seed.mjs";
import { startProduct, stop } from "../servers.mjs";

const password = "a long enough passphrase";
const admin = { email: "bench@example.com", password };
const json = { "Content-Type": "application/json" };
/** Rows of the attacker, and of the caller that warms up the process. */
const fatRows = { attacker: 1_000, warmUp: 200 };
const bystanders = 4;
const loginAccounts = 6;
const bodyBytes = 60 * 1024;

/** The worst search: as many words as allowed, each of them very frequent. */
const worstSearch = "or ma in ad lo ex co or";

/** Starts the product once to fill its database. Resolves to what the attacks and the bystander need. */
export async function prepareNeighbors({ engine, folder, product, rows, say }) {
  const env = {
    ...engine.env,
    DATA_DIR: folder,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: password,
    LOG_LEVEL: "info",
  };
  const unlimited = { ...env, ...withoutLimits };
  const server = await startProduct("preparation", { folder: product, env: unlimited });
  const call = callerOf(server.url);
  const adminToken = await signIn(call, admin.email);
  say("posting fat transactions");
  const attacker = await attackingCaller(call, adminToken, "attacker");
  const warmUp = await attackingCaller(call, adminToken, "warmUp");
  const bystander = await bystandersOf(call, adminToken);
  await stop(server);

  say(`filling the database with ${rows} transactions`);
  const db = await engine.open();
  const seeded = await seed(db, rows);
  await db.close();
  await engine.beforeMeasuring();
  const baselineEnv = { BASELINE_DATABASE: await engine.copy("baseline"), BASELINE_PAY_PAGE: "/dev/null" };
  return {
    env,
    given: { attacker, warmUp, bystander },
    baseline: { env: baselineEnv, given: { ...seeded, password } },
  };
}

/** What an attack needs: a member with large rows, an admin, a payment request, and users who sign in. */
async function attackingCaller(call, adminToken, name) {
  const { token } = await newMember(call, adminToken, `${name}@example.com`);
  await postFatRows(call, token, fatRows[name]);
  const { payment_id: paymentId } = await call("/v1/payments", token, {
    type: "product",
    amount: 1250,
    currency: "EUR",
    description: "Two coffees",
  });
  const emails = [];
  for (let n = 0; n < loginAccounts; n++) {
    emails.push((await newMember(call, adminToken, `${name}-login${n}@example.com`)).email);
  }
  const ownAdmin = await newAdmin(call, adminToken, `${name}-admin@example.com`);
  return { token, adminToken: ownAdmin, paymentId, emails, password, bodyBytes, worstSearch };
}

/** Only for the preparation. The attacks meet the default limits. */
const withoutLimits = {
  RATE_LIMIT: "0",
  LOGINS_PER_USER: "100000",
  PASSWORDS_PER_IP: "1000",
  SIGNUPS_PER_IP: "100000",
};

const callerOf =
  (url) =>
  async (to, token, body, headers = {}) => {
    const authorization = token ? { Authorization: `Bearer ${token}` } : {};
    const given = { method: "POST", headers: { ...json, ...authorization, ...headers }, body: JSON.stringify(body) };
    const response = await fetch(url + to, given);
    const answer = await response.json();
    if (!response.ok) throw new Error(`${to}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  };

const signIn = async (call, email) => (await call("/v1/auth/login", null, { email, password })).access_token;

/** A signed-in member with an account. */
async function newMember(call, adminToken, email) {
  const account = { account_type: "individual", account_name: email, email };
  await call("/v1/users", adminToken, { email, password, role: "member", account });
  return { email, token: await signIn(call, email) };
}

/** The access token of a new admin. */
async function newAdmin(call, adminToken, email) {
  await call("/v1/users", adminToken, { email, password, role: "admin" });
  return signIn(call, email);
}

async function bystandersOf(call, adminToken) {
  const tokens = [];
  for (let n = 0; n < bystanders; n++) tokens.push(await newAdmin(call, adminToken, `bystander${n}@example.com`));
  const row = { type: "payment", amount: 1250, currency: "EUR", description: "Two coffees" };
  const accounts = await newMember(call, adminToken, "shop@example.com");
  const { transaction_id } = await call("/v1/transactions", accounts.token, row);
  return { tokens, path: `/v1/transactions/${transaction_id}` };
}

/** Posts rows as large as possible, several concurrently. */
async function postFatRows(call, token, count) {
  const value = await largestValue(call, token);
  let left = count;
  const worker = async () => {
    while (left-- > 0) await call("/v1/transactions", token, fatRow(value), { "Idempotency-Key": randomUUID() });
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

function fatRow(size) {
  const metadata = Object.fromEntries(
    Array.from({ length: 50 }, (_, n) => [`key_${n}`, `${randomUUID()} ${"lorem ipsum ".repeat(50)}`.slice(0, size)]),
  );
  const customer = { name: "Ada Lovelace", email: "ada@example.com", metadata };
  return { type: "payment", amount: 100, currency: "EUR", description: "Fat".padEnd(280, " row"), metadata, customer };
}

async function largestValue(call, token) {
  for (const size of [500, 400, 300, 200, 150, 100, 50]) {
    const isTaken = await call("/v1/transactions", token, fatRow(size)).then(
      () => true,
      () => false,
    );
    if (isTaken) return size;
  }
  throw new Error("No size of metadata is accepted.");
}
