// Every environment variable, its meaning and default, in the order of `.env.example`.
import { z } from "zod";
import { limits } from "@/server/kit/limits";
import {
  bearerToken,
  databaseUrl,
  duration,
  keyIds,
  mailbox,
  origin,
  secretKeys,
  securityContact,
  smtpServer,
  stepUpAmounts,
  trustedProxies,
  whole,
} from "./env-values";
import { LogLevel } from "./log-level";

const { freshSignInMinutes, password, signInWindowMinutes } = limits;

/** The variables. `.env.example` prints the text of `describe`. */
export const schema = z.object({
  PORT: whole(1, 65_535).prefault("3000").describe("Port to listen on."),
  HOST: z
    .string()
    .prefault("127.0.0.1")
    .describe("Address to listen on. The default serves this machine only; 0.0.0.0 or :: serves the network."),
  APP_URL: origin
    .optional()
    .describe(
      "The address where browsers reach the app, used for links and cookies. Default: http://localhost and the port.",
    ),
  DATABASE_URL: databaseUrl
    .prefault("file:./data/quittance.db")
    .describe("file:path for SQLite (one machine), or postgres://user:password@host/database (many machines)."),
  DATABASE_POOL: whole(2, 1_000)
    .prefault("16")
    .describe(
      "Maximum number of connections of one process to PostgreSQL; a quarter of them only read. All processes together, plus a few for commands and migrations, must stay below the server's max_connections.",
    ),
  DATA_DIR: z.string().prefault("./data").describe("Folder for the app's own files, such as the generated key."),
  SECRET_KEY: secretKeys
    .optional()
    .describe(
      "Server key: 32 random bytes in base64 (openssl rand -base64 32). To rotate it, put the new one first and keep the old one after a comma; later move it to SECRET_KEY_RETIRED. Generated in DATA_DIR/secret.key if absent on SQLite; required on PostgreSQL.",
    ),
  SECRET_KEY_RETIRED: secretKeys
    .optional()
    .describe(
      "Former server keys, separated by commas, that no longer read anything. They only verify what they signed in the ledger before the first signature of a key in SECRET_KEY (npm run verify:ledger).",
    ),
  SECRET_KEY_LOST: keyIds
    .optional()
    .describe(
      "Ids of server keys that are lost for good, separated by commas. The proof cannot check what they signed, and the server starts without them.",
    ),
  ADMIN_EMAIL: z
    .email("must be an e-mail address")
    .optional()
    .describe(
      "E-mail address of the first admin, who is created when the database is empty. Without it, a one-time set-up link is printed.",
    ),
  ADMIN_PASSWORD: z
    .string()
    .min(password.min, `must have at least ${password.min} characters`)
    .max(password.max, `must have at most ${password.max} characters`)
    .optional()
    .describe(
      `Password of the first admin, ${password.min} to ${password.max} characters. Ignored once the user exists.`,
    ),
  SIGNUP: z
    .enum(["open", "invite", "closed"], "must be open, invite or closed")
    .optional()
    .describe(
      "Who may sign up: open, invite or closed. Default: open while the organization is in the sandbox and only this machine can reach the app (HOST and APP_URL are loopback, no proxy in front); otherwise closed.",
    ),
  SECURITY_CONTACT: securityContact
    .optional()
    .describe(
      "Where to report a vulnerability of this server: an e-mail address, or an https:, mailto: or tel: address. /.well-known/security.txt names it; without it there is no such file.",
    ),
  ACCESS_TOKEN_TTL: duration.prefault("15m").describe("Lifetime of an access token."),
  REFRESH_TOKEN_TTL: duration.prefault("30d").describe("Lifetime of a refresh token."),
  API_SESSION_MAX_AGE: duration
    .prefault("90d")
    .describe("Longest lifetime of an API session, even if it is refreshed."),
  DASHBOARD_SESSION_IDLE: duration.prefault("12h").describe("A dashboard session ends after this long without use."),
  DASHBOARD_SESSION_MAX_AGE: duration.prefault("7d").describe("Longest lifetime of a dashboard session."),
  STEP_UP_AMOUNTS: stepUpAmounts
    .prefault("EUR 1000.00, USD 1000.00, GBP 1000.00, CHF 1000.00")
    .describe(
      `The amount per currency that a dashboard session may refund, transfer, credit or adjust in an hour before the user must sign in again. In a currency that is not listed, every amount requires a sign-in within the last ${freshSignInMinutes} minutes. Admins can set other amounts for their organization, in Settings.`,
    ),
  RATE_LIMIT: whole(0, 1_000_000)
    .prefault("6000")
    .describe(
      `API requests per minute of a user (all sessions together), an API key, or an address without either (IPv6: /64), per process. A request counts once more for each ${limits.bytesPerCall / 1024} KiB of its body and response. 0 turns the limit off.`,
    ),
  CONNECTIONS_PER_ADDRESS: whole(1, limits.connections.inAll)
    .prefault("200")
    .describe(
      `Connections that one address (IPv6: /64) may have open at the same time, of ${limits.connections.inAll.toLocaleString("en")} in total. Behind a trusted proxy: its concurrent requests.`,
    ),
  LOGIN_FAILURES_PER_USER_AND_IP: whole(1, 100_000)
    .prefault("10")
    .describe(`Failed sign-ins per user from one IP address (IPv6: /64) in ${signInWindowMinutes} minutes.`),
  LOGIN_FAILURES_PER_USER: whole(1, 100_000)
    .prefault("100")
    .describe(
      `Failed sign-ins per user in ${signInWindowMinutes} minutes, from all addresses and devices that the user has not used before.`,
    ),
  LOGIN_FAILURES_PER_IP: whole(1, 100_000)
    .prefault("100")
    .describe(`Failed sign-ins per IP address (IPv6: /64) in ${signInWindowMinutes} minutes.`),
  LOGIN_FAILURES_PER_DEVICE: whole(1, 100_000)
    .prefault("10")
    .describe(
      `Failed sign-ins in ${signInWindowMinutes} minutes per device that the user has signed in from before; such a device is counted separately.`,
    ),
  LOGIN_SLOWDOWN_AFTER: whole(1, 1_000_000)
    .prefault("1000")
    .describe(
      "After this many failed sign-ins in five minutes, or a tenth of them from one IPv6 /48, each sign-in from a new device is delayed by a second.",
    ),
  LOGINS_PER_USER: whole(1, 100_000)
    .prefault("60")
    .describe(`Successful sign-ins per user in ${signInWindowMinutes} minutes.`),
  PASSWORDS_PER_IP: whole(1, 1_000)
    .prefault("8")
    .describe("Passwords of one IP address (IPv6: /64) that may be checked, or wait for that, at the same time."),
  SIGNUPS_PER_IP: whole(1, 100_000).prefault("60").describe("Sign-ups per IP address and hour."),
  PAY_FAILURES_PER_LINK: whole(1, 100_000)
    .prefault("10")
    .describe(
      `Failed payment attempts per link and IP address, per hour; on a reusable link ${limits.links.perNeighborhood} times as many per network (IPv4: /24, IPv6: /48). An attempt counts until it is confirmed.`,
    ),
  PAY_FAILURES_PER_IP: whole(1, 100_000).prefault("30").describe("Failed payment attempts per IP address and hour."),
  LINK_DECLINES: whole(1, 100_000)
    .prefault(String(limits.links.declines))
    .describe(
      "Cards declined or left unconfirmed on one reusable link in an hour, after which strangers are slowed down there: one failed attempt per IP address, few per network, and few in a minute. Payers who have paid through the link before are not.",
    ),
  LINK_USES_PER_IP: whole(1, 100_000)
    .prefault(String(limits.links.usesPerAddress))
    .describe(
      `Uses of one reusable link that one IP address may begin in an hour, paid or not; one network (IPv4: /24, IPv6: /48) ${limits.links.perNeighborhood} times as many.`,
    ),
  // Each account is a value in the queries behind a member's lists, and engines limit the number of values.
  ACCOUNTS_PER_OWNER: whole(1, limits.ownedAccounts)
    .prefault("100")
    .describe(`Accounts that one member may own, including closed ones; at most ${limits.ownedAccounts}.`),
  WORKER: z
    .enum(["inside", "apart"], "must be inside or apart")
    .prefault("inside")
    .describe(
      "What runs background jobs: the app itself (inside), or only processes started with npm run worker (apart).",
    ),
  WORKER_PORT: whole(1, 65_535)
    .optional()
    .describe(
      "Port on which a separate worker (npm run worker) answers /healthz, /readyz and /metrics. Default: none. Each worker of a machine needs its own.",
    ),
  METRICS_TOKEN: bearerToken
    .optional()
    .describe(
      "Bearer token for /metrics: 32 to 200 characters (openssl rand -hex 32). Without it, only callers on this machine may read /metrics, and only while nothing indicates that others can reach the app: HOST and APP_URL are loopback, no proxy in front.",
    ),
  BACKUP_DIR: z
    .string()
    .optional()
    .describe(
      "Folder for a daily backup of the SQLite file, made and checked by a background job. Use a separate folder for each database, preferably on another disk. Default: none. docs/operating.md describes backups, also of PostgreSQL.",
    ),
  BACKUP_KEEP: whole(1, 1_000)
    .prefault("7")
    .describe("How many daily backups are kept. Only daily backups are ever removed, the oldest first."),
  SMTP_URL: smtpServer
    .optional()
    .describe(
      "The server that sends mails: smtp:// (STARTTLS) or smtps:// (TLS), then user:password@host:port. Only a server on this machine may be without TLS. Without it, mails are kept and shown but not sent.",
    ),
  SMTP_PLAINTEXT: z
    .enum(["refuse", "allow"], "must be refuse or allow")
    .prefault("refuse")
    .describe(
      "Mails have secret links. Whether they may be sent without TLS to a server on another machine that offers none: only within a network that nobody else can read. A password is never sent so.",
    ),
  MAIL_FROM: mailbox
    .optional()
    .describe(
      "The sender of mails: billing@example.com or Example Ltd <billing@example.com>. Required with SMTP_URL. Payment mails show the account's name with this address, and replies go to the account's e-mail.",
    ),
  LOG_LEVEL: z
    .enum(LogLevel, `must be one of ${LogLevel.join(", ")}`)
    .prefault("info")
    .describe(`How much is logged: ${LogLevel.join(", ")}.`),
  TRUST_PROXY: trustedProxies
    .optional()
    .describe(
      "Proxies whose X-Forwarded-For is trusted: the number of proxies in front of the app, or their addresses and ranges (10.0.0.0/8,::1). Default: none. With a number, make sure that only the proxies can reach the port: a client that connects directly can choose the address it is counted by.",
    ),
});
