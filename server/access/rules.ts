// Who may call what: the whole access table, as data. What has no row here cannot be called.
import type { AccessRule } from "../kit/operation";

type Row = Omit<AccessRule, "name">;

const known: Pick<Row, "credential"> = { credential: "required" };
const tenant = (platform: string | null): Row => ({ ...known, member: "own", admin: "organization", platform });
const adminsOnly = (platform: string | null): Row => ({ ...known, member: "none", admin: "organization", platform });
const everyone = (credential: "optional" | "ignored"): Row => ({
  credential,
  member: "own",
  admin: "organization",
  platform: null,
});

const table = {
  "sessions.login": { ...everyone("ignored"), isSignIn: true },
  "sessions.refresh": everyone("ignored"),
  "sessions.invalidate": tenant("sessions:write"),
  "sessions.read": tenant("sessions:read"),
  "accounts.list": adminsOnly("accounts:read"),
  /** What the caller itself owns; an API key owns nothing. */
  "accounts.own": tenant(null),
  "accounts.read": tenant("accounts:read"),
  "accounts.write": tenant("accounts:write"),
  /** The signed-in user itself; an API key is nobody. */
  "users.current": tenant(null),
  "users.read": adminsOnly("users:read"),
  "users.create": { ...everyone("optional"), member: "none", platform: "users:write" },
  "users.remove": tenant("users:write"),
  /** Oneself only; an API key has no password. */
  "users.password": { ...tenant(null), isSignIn: true },
  "payments.read": tenant("payments:read"),
  "payments.write": tenant("payments:write"),
  "transactions.read": tenant("transactions:read"),
  "transactions.write": tenant("transactions:write"),
  /** What happened to an object, as the dashboard shows it. */
  "timeline.read": tenant(null),
  "jobs.manage": adminsOnly(null),
  /** Anyone who holds the link; the link itself is the credential. */
  "pay.link": everyone("ignored"),
  /** The holder of a link that resets a password. */
  "users.reset": everyone("ignored"),
  "instance.setup": everyone("ignored"),
  "documents.read": everyone("ignored"),
} satisfies Record<string, Row>;

export type RuleName = keyof typeof table;

export const rules = Object.fromEntries(Object.entries(table).map(([name, row]) => [name, { name, ...row }])) as Record<
  RuleName,
  AccessRule
>;

/** The scopes that an API key can carry. */
export const scopes: readonly string[] = [
  ...new Set(Object.values(rules).flatMap((rule) => (rule.platform ? [rule.platform] : []))),
];
