// A hunt for secrets: tokens and links are used, rightly and wrongly, and must then be in no log, page or table.
import { readFileSync } from "node:fs";
import { sqlitePath } from "@/db/sqlite";
import { type Api, createApi, signIn } from "@/e2e/api";
import { memberPassword, newMember, resetLink } from "@/e2e/contract/people";
import { goodCard, payByForm } from "@/e2e/payer";
import { firstAdmin, startServer, type TestServer } from "@/e2e/server";
import { openSnapshot } from "@/server/domains/ledger/verify/snapshot-store";
import { tokenPattern } from "@/server/secrets/secret";
import { type Fault, nothingFound } from "./fault";

const everywhere = new RegExp(tokenPattern.source, "g");
/** Besides tokens, these must appear nowhere in clear text. */
const otherSecrets = [
  firstAdmin.password,
  memberPassword,
  goodCard.card_number,
  Buffer.alloc(32, 7).toString("base64"),
];

/** Pay links: the pay page may show its own, and the dashboard all of them, where merchants copy them. */
const payLink = /^qtpl_/;

export const leaks: Fault = {
  name: "leaks",
  title: "secrets in logs, pages and tables",
  engines: ["sqlite", "postgres"],
  rounds: 3,
  async run({ engine, rounds }) {
    const found = nothingFound();
    const server = await startServer({ engine, env: { LOG_LEVEL: "trace", SIGNUP: "open" } });
    const texts = new Map<string, string>();
    let tokens = 0;
    try {
      const api = createApi(server.url);
      for (let round = 1; round <= rounds; round++) {
        const used = await spendTokens(server, api, (name, text) => void texts.set(`${name} ${round}`, text));
        tokens += used.length;
        await misuse(server, api, used, (name, text) => void texts.set(`${name} ${round}`, text));
        found.rounds = round;
      }
      for (const [name, text] of await tablesOf(server)) texts.set(name, text);
      texts.set("log", server.logs());
      for (const [name, text] of texts) found.wrong.push(...leaksIn(name, text));
      found.note = `${tokens} secrets used, ${texts.size} texts searched`;
      return found;
    } finally {
      await server.stop();
    }
  },
};

type Keep = (name: string, text: string) => void;

/** Signs in in every way, pays, and resets a password. Returns every secret that was used. */
async function spendTokens(server: TestServer, api: Api, keep: Keep): Promise<string[]> {
  const { tokens, token, email } = await newMember(api);
  const { body: refreshed } = await api<{ access_token: string; refresh_token: string }>("POST", "/v1/auth/refresh", {
    token: tokens.refresh_token,
    body: {},
  });
  const made = await api<{ payment_url: string }>("POST", "/v1/payments", {
    token: refreshed?.access_token ?? token,
    body: { type: "product", amount: 500, currency: "EUR" },
    headers: { "Idempotency-Key": tokens.session_id },
  });
  const link = made.body.payment_url;
  keep("pay page", await (await fetch(link)).text());
  keep("pay page's answer", await (await payByForm(link)).text());
  keep("paid page", await (await fetch(link)).text());
  keep("receipt", await (await fetch(`${link}/receipt`)).text());
  const reset = await resetLink(server, email);
  keep("reset page", withoutOwn(await (await fetch(reset)).text(), reset));
  const cookies = await signInByPage(server, keep);
  const secrets = [tokens.access_token, tokens.refresh_token, refreshed?.access_token, refreshed?.refresh_token];
  return [...secrets, link.split("/").at(-1), reset.split("/").at(-1), ...cookies].filter((one) => one !== undefined);
}

/** The text without the secret of the page's own address, which the page may name. */
const withoutOwn = (text: string, address: string) => text.replaceAll(address.split("/").at(-1) ?? "", "");

/** Signs in to the dashboard and opens pages there. Returns the cookies' values. */
async function signInByPage(server: TestServer, keep: Keep): Promise<string[]> {
  const response = await fetch(`${server.url}/api/trpc/sessions.signIn`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: server.url, "Sec-Fetch-Site": "same-origin" },
    body: JSON.stringify(firstAdmin),
  });
  keep("sign-in's answer", await response.text());
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "");
  if (cookies.length === 0) throw new Error(`Signing in to the dashboard failed: ${response.status}`);
  for (const path of ["/dashboard", "/dashboard/accounts", "/dashboard/transactions", "/nowhere"]) {
    keep(path, await (await fetch(server.url + path, { headers: { Cookie: cookies.join("; ") } })).text());
  }
  return cookies.map((cookie) => cookie.split("=")[1] ?? "");
}

/** Sends secrets where they do not belong: in paths, queries, bodies and other headers. */
async function misuse(server: TestServer, api: Api, secrets: readonly string[], keep: Keep): Promise<void> {
  const { access_token: token } = await signIn(api);
  for (const [i, secret] of secrets.entries()) {
    const echoes = [
      await api("GET", `/v1/payments/${secret}`, { token }),
      await api("GET", `/v1/transactions?cursor=${secret}`, { token }),
      await api("GET", `/v1/${secret}`, { token }),
      await api("POST", "/v1/payments", { token, body: { [secret]: secret, type: secret } }),
      await api("POST", "/v1/payments", { token, body: `{"type": ${secret}` }),
      await api("POST", "/v1/auth/login", { body: { email: `${secret}@example.com`, password: secret } }),
      await api("GET", "/v1/transactions", { token: `${secret}x`, headers: { "X-Forwarded-For": secret } }),
      await api("GET", "/v1/transactions", { token: secret, headers: { "Request-Id": secret } }),
    ];
    // An answer may repeat what its caller sent, but no other secret.
    keep(`errors ${i}`, echoes.map(({ text }) => text.replaceAll(secret, "")).join("\n"));
    keep(`page ${i}`, (await (await fetch(`${server.url}/x/${secret}`)).text()).replaceAll(secret, ""));
  }
}

/** Every table as text, and on SQLite the bytes of the files, deleted rows included. */
async function tablesOf(server: TestServer): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const snapshot = await openSnapshot(server.databaseUrl);
  const list = {
    sqlite: "select name from sqlite_schema where type = 'table' and name not like 'sqlite%'",
    postgres: "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  }[snapshot.engine];
  for (const { name } of await snapshot.rows(list)) {
    const rows = await snapshot.rows(`select * from ${name}`);
    texts.set(`table ${name}`, rows.map((row) => Object.values(row).map(textOf).join("\t")).join("\n"));
  }
  await snapshot.close();
  if (snapshot.engine === "sqlite") {
    for (const end of ["", "-wal"]) {
      texts.set(`file${end}`, readFileSync(sqlitePath(server.databaseUrl) + end, "latin1"));
    }
  }
  return texts;
}

const textOf = (value: unknown): string =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);

function leaksIn(name: string, text: string): string[] {
  const mayShowPayLinks = /^(pay|paid|receipt|\/dashboard)/.test(name);
  const tokens = [...text.matchAll(everywhere)].map(([token]) => token);
  return [
    ...tokens
      .filter((token) => !(mayShowPayLinks && payLink.test(token)))
      .map((token) => `${name}: ${token.slice(0, 8)}…`),
    ...otherSecrets.filter((secret) => text.includes(secret)).map((secret) => `${name}: ${secret.slice(0, 3)}…`),
  ];
}
