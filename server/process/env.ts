// The configuration: parsed once from the environment, with all faults reported together.
import type { z } from "zod";
import { schema } from "./env-schema";
import type { Mailbox, SmtpServer, TrustedProxies } from "./env-values";
import type { LogLevel } from "./log-level";

export type { Mailbox, SmtpServer, TrustedProxies };

/** The parsed configuration. Durations are in milliseconds. */
export type Env = {
  port: number;
  host: string;
  appUrl: string;
  databaseUrl: string;
  databasePool: number;
  dataDir: string;
  secretKeys: Buffer[] | null;
  retiredKeys: Buffer[];
  /** Ids of lost server keys. */
  lostKeys: string[];
  admin: { email: string; password: string } | null;
  signup: "open" | "invite" | "closed" | null;
  /** A URI; null: there is no security.txt. */
  securityContact: string | null;
  accessTokenMs: number;
  refreshTokenMs: number;
  apiSessionMaxMs: number;
  dashboardSessionIdleMs: number;
  dashboardSessionMaxMs: number;
  rateLimit: number;
  connectionsPerAddress: number;
  /** Minor units by currency. */
  stepUpAmounts: ReadonlyMap<string, number>;
  loginFailuresPerUserAndIp: number;
  loginFailuresPerUser: number;
  loginFailuresPerIp: number;
  loginFailuresPerDevice: number;
  loginSlowdownAfter: number;
  loginsPerUser: number;
  passwordsPerIp: number;
  signupsPerIp: number;
  payFailuresPerLink: number;
  payFailuresPerIp: number;
  linkDeclines: number;
  linkUsesPerIp: number;
  accountsPerOwner: number;
  worker: "inside" | "apart";
  workerPort: number | null;
  metricsToken: string | null;
  /** Null: no daily backups. */
  backupDir: string | null;
  backupKeep: number;
  /** Null: mails are kept but not sent. */
  mail: { server: SmtpServer; from: Mailbox } | null;
  logLevel: LogLevel;
  trustedProxies: TrustedProxies;
};

/** An invalid configuration. `faults` has one line for each invalid variable. */
export class EnvError extends Error {
  override name = "EnvError";
  constructor(readonly faults: string[]) {
    super(`Invalid configuration:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
  }
}

/** Parses environment variables. Throws one EnvError that lists every fault. An empty variable counts as absent. */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ""));
  const parsed = schema.safeParse(given);
  const faults = parsed.error?.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`) ?? [];
  faults.push(...faultsBetween(given));
  if (!parsed.success || faults.length > 0) throw new EnvError(faults);
  return named(parsed.data);
}

/** Rules over several variables, checked on the raw text so that they are reported together with the others. */
function faultsBetween(given: Record<string, string | undefined>): string[] {
  const faults: string[] = [];
  if (given.ADMIN_EMAIL && !given.ADMIN_PASSWORD) faults.push("ADMIN_PASSWORD: must be set together with ADMIN_EMAIL");
  if (given.ADMIN_PASSWORD && !given.ADMIN_EMAIL) faults.push("ADMIN_EMAIL: must be set together with ADMIN_PASSWORD");
  if (/^postgres/.test(given.DATABASE_URL ?? "") && !given.SECRET_KEY) {
    faults.push("SECRET_KEY: must be set with PostgreSQL, the same on every machine (openssl rand -base64 32)");
  }
  if (/^postgres/.test(given.DATABASE_URL ?? "") && given.BACKUP_DIR) {
    faults.push("BACKUP_DIR: is for SQLite; docs/operating.md says how to back up PostgreSQL");
  }
  if (given.SMTP_URL && !given.MAIL_FROM) faults.push("MAIL_FROM: must be set together with SMTP_URL");
  return faults;
}

function named(values: z.output<typeof schema>): Env {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password, SMTP_URL: server, MAIL_FROM: from } = values;
  const mayBePlain = values.SMTP_PLAINTEXT === "allow";
  return {
    port: values.PORT,
    host: values.HOST,
    appUrl: values.APP_URL ?? `http://localhost:${values.PORT}`,
    databaseUrl: values.DATABASE_URL,
    databasePool: values.DATABASE_POOL,
    dataDir: values.DATA_DIR,
    secretKeys: values.SECRET_KEY ?? null,
    retiredKeys: values.SECRET_KEY_RETIRED ?? [],
    lostKeys: values.SECRET_KEY_LOST ?? [],
    admin: email !== undefined && password !== undefined ? { email, password } : null,
    signup: values.SIGNUP ?? null,
    securityContact: values.SECURITY_CONTACT ?? null,
    accessTokenMs: values.ACCESS_TOKEN_TTL,
    refreshTokenMs: values.REFRESH_TOKEN_TTL,
    apiSessionMaxMs: values.API_SESSION_MAX_AGE,
    dashboardSessionIdleMs: values.DASHBOARD_SESSION_IDLE,
    dashboardSessionMaxMs: values.DASHBOARD_SESSION_MAX_AGE,
    rateLimit: values.RATE_LIMIT,
    connectionsPerAddress: values.CONNECTIONS_PER_ADDRESS,
    stepUpAmounts: values.STEP_UP_AMOUNTS,
    loginFailuresPerUserAndIp: values.LOGIN_FAILURES_PER_USER_AND_IP,
    loginFailuresPerUser: values.LOGIN_FAILURES_PER_USER,
    loginFailuresPerIp: values.LOGIN_FAILURES_PER_IP,
    loginFailuresPerDevice: values.LOGIN_FAILURES_PER_DEVICE,
    loginSlowdownAfter: values.LOGIN_SLOWDOWN_AFTER,
    loginsPerUser: values.LOGINS_PER_USER,
    passwordsPerIp: values.PASSWORDS_PER_IP,
    signupsPerIp: values.SIGNUPS_PER_IP,
    payFailuresPerLink: values.PAY_FAILURES_PER_LINK,
    payFailuresPerIp: values.PAY_FAILURES_PER_IP,
    linkDeclines: values.LINK_DECLINES,
    linkUsesPerIp: values.LINK_USES_PER_IP,
    accountsPerOwner: values.ACCOUNTS_PER_OWNER,
    worker: values.WORKER,
    workerPort: values.WORKER_PORT ?? null,
    metricsToken: values.METRICS_TOKEN ?? null,
    backupDir: values.BACKUP_DIR ?? null,
    backupKeep: values.BACKUP_KEEP,
    mail: server !== undefined && from !== undefined ? { server: { ...server, mayBePlain }, from } : null,
    logLevel: values.LOG_LEVEL,
    trustedProxies: values.TRUST_PROXY ?? null,
  };
}
