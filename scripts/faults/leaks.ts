// A hunt for secrets: tokens and links are used, rightly and wrongly, and must then be in no log, page or table.
import { readFileSync } from "node:fs";
import { sqlitePath } from "@/db/sqlite";
import { type Api, createApi, signIn, type TokenPair } from "@/e2e/api";
import { memberPassword, newMember, requestPayment, resetLink, succeeded } from "@/e2e/contract/people";
import { bytesOf } from "@/e2e/factors";
import { goodCard, payByForm } from "@/e2e/payer";
import { firstAdmin, startServer, type TestServer } from "@/e2e/server";
import { openSnapshot } from "@/server/domains/ledger/verify/snapshot-store";
import { tokenPattern } from "@/server/secrets/secret";
import { signInByPage } from "./dashboard";
import type { Fault } from "./fault";
import {
  type Scene,
  smtpPassword,
  startLeakMail,
  useInvitation,
  useMailedLink,
  useMailServer,
  useSecondFactor,
} from "./leak-ways";

const everywhere = new RegExp(tokenPattern.source, "g");
/** Besides tokens, these must appear nowhere in clear text. */
const otherSecrets = [
  firstAdmin.password,
  memberPassword,
  goodCard.card_number,
  smtpPassword,
  Buffer.alloc(32, 7).toString("base64"),
];

/** Pay links: the pay page may show its own, and the dashboard all of them, where merchants copy them. */
const payLink = /^qtpl_/;

type Keep = Scene["keep"];

/** Every way in which secrets leave the server. Each obtains some, uses them as intended, and returns them. */
const ways: readonly ((scene: Scene) => Promise<string[]>)[] = [
  useTokens,
  useApiKey,
  usePayLink,
  useResetLink,
  useDashboard,
  useMailedLink,
  useMailServer,
  useInvitation,
  // Afterwards the password alone no longer signs the member in.
  useSecondFactor,
];

export const leaks: Fault = {
  name: "leaks",
  title: "secrets in logs, pages and tables",
  engines: ["sqlite", "postgres"],
  rounds: 3,
  async run({ engine, found, rounds, signal }) {
    const mail = await startLeakMail();
    const env = { LOG_LEVEL: "trace", SIGNUP: "open", SMTP_URL: mail.url, MAIL_FROM: "Leaks <leaks@example.com>" };
    const server = await startServer({ engine, env });
    const texts = new Map<string, string>();
    const kinds = new Map<string, number>();
    const known = [...otherSecrets];
    try {
      const api = createApi(server.url);
      for (const round of rounds) {
        const keep: Keep = (name, text) => void texts.set(`${name} ${round}`, text);
        const member = await newMember(api);
        const used: string[] = [];
        for (const use of ways) used.push(...(await use({ server, api, mail, member, keep })));
        for (const secret of used) kinds.set(kindOf(secret), (kinds.get(kindOf(secret)) ?? 0) + 1);
        known.push(...used.filter((secret) => !tokenPattern.test(secret)));
        // The log recognizes tokens wherever a caller sends them. Codes and keys have no such form.
        for (const [i, secret] of used.filter((each) => tokenPattern.test(each)).entries()) {
          signal.throwIfAborted();
          await misuse(server, api, { secret, name: `${i}`, keep });
        }
      }
      for (const [name, text] of await tablesOf(server)) texts.set(name, text);
      texts.set("log", server.logs());
      for (const [name, text] of texts) found.wrong.push(...leaksIn(name, text, known));
      const used = [...kinds].map(([kind, count]) => `${count} ${kind}`).join(", ");
      found.note = `secrets used: ${used}; ${texts.size} texts searched`;
    } finally {
      await server.stop();
      await mail.close();
    }
  },
};

/** Tokens say what they are. */
const kindOf = (secret: string): string => {
  if (tokenPattern.test(secret)) return secret.slice(0, 4);
  return secret.includes("-") ? "recovery codes" : "keys of apps";
};

async function useTokens({ api, member: { tokens } }: Scene): Promise<string[]> {
  const reply = await api<TokenPair>("POST", "/v1/auth/refresh", { token: tokens.refresh_token, body: {} });
  const refreshed = succeeded(reply);
  await api("GET", "/v1/transactions", { token: refreshed.access_token });
  return [tokens, refreshed].flatMap(({ access_token, refresh_token }) => [access_token, refresh_token]);
}

async function useApiKey({ api }: Scene): Promise<string[]> {
  const { access_token: token } = await signIn(api);
  const body = { name: "Leaks", scopes: ["transactions:read"] };
  const made = succeeded(await api<ApiKeyBody>("POST", "/v1/api_keys", { token, body }));
  const path = `/v1/api_keys/${made.api_key_id}/rotate`;
  const rotated = succeeded(await api<ApiKeyBody>("POST", path, { token, body: {} }));
  for (const { secret } of [made, rotated]) succeeded(await api("GET", "/v1/transactions", { token: secret }));
  return [made.secret, rotated.secret];
}

type ApiKeyBody = { api_key_id: string; secret: string };

async function usePayLink({ api, member, keep }: Scene): Promise<string[]> {
  const link = (await requestPayment(api, member)).payment_url;
  keep("pay page", await (await fetch(link)).text());
  keep("pay page's answer", await (await payByForm(link)).text());
  keep("paid page", await (await fetch(link)).text());
  keep("receipt", await (await fetch(`${link}/receipt`)).text());
  return [tokenIn(link)];
}

async function useResetLink({ server, member, keep }: Scene): Promise<string[]> {
  const link = await resetLink(server, member.email);
  // A page may name the secret in its own address.
  keep("reset page", (await (await fetch(link)).text()).replaceAll(tokenIn(link), ""));
  return [tokenIn(link)];
}

const tokenIn = (link: string): string => link.split("/").at(-1) ?? "";

/** Signs in to the dashboard and opens pages there. Returns the cookies' values. */
async function useDashboard({ server, keep }: Scene): Promise<string[]> {
  const { text, cookie } = await signInByPage(server);
  keep("sign-in's answer", text);
  for (const path of ["/dashboard", "/dashboard/accounts", "/dashboard/transactions", "/nowhere"]) {
    keep(path, await (await fetch(server.url + path, { headers: { Cookie: cookie } })).text());
  }
  return cookie.split("; ").map((each) => each.split("=")[1] ?? "");
}

/** Sends a secret where it does not belong: in paths, queries, bodies and other headers. */
async function misuse(
  server: TestServer,
  api: Api,
  { secret, name, keep }: { secret: string; name: string; keep: Keep },
): Promise<void> {
  const { access_token: token } = await signIn(api);
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
  keep(`errors ${name}`, echoes.map(({ text }) => text.replaceAll(secret, "")).join("\n"));
  keep(`page ${name}`, (await (await fetch(`${server.url}/x/${secret}`)).text()).replaceAll(secret, ""));
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

function leaksIn(name: string, text: string, known: readonly string[]): string[] {
  const mayShowPayLinks = /^(pay|paid|receipt|\/dashboard)/.test(name);
  const tokens = [...text.matchAll(everywhere)].map(([token]) => token);
  return [
    ...tokens
      .filter((token) => !(mayShowPayLinks && payLink.test(token)))
      .map((token) => `${name}: ${token.slice(0, 8)}…`),
    ...known
      .flatMap(formsOf)
      .filter((secret) => text.includes(secret))
      .map((secret) => `${name}: ${secret.slice(0, 3)}…`),
  ];
}

/** A secret as it may appear: as it is shown, without the dashes of a recovery code, and the bytes of an app's key. */
function formsOf(secret: string): string[] {
  if (kindOf(secret) !== "keys of apps" || !/^[A-Z2-7]{32}$/.test(secret)) return [secret, secret.replaceAll("-", "")];
  const bytes = Buffer.from(bytesOf(secret));
  return [secret, bytes.toString("hex"), bytes.toString("base64").replace(/=+$/, ""), bytes.toString("base64url")];
}
