// Who may do what: the whole access table, as data. What has no row here cannot be called.
// An operation names its row. A row with a longer name, such as `users.create.admin`, answers a narrower question: it is
// asked in addition, with `may` or by the operation's `accessFor`. What a caller sees at all is decided in scope.ts.
import type { AccessRule } from "../kit/operation";

type Row = Omit<AccessRule, "name" | "credential"> & Partial<Pick<AccessRule, "credential">>;

/** No caller is identified; a secret in the input may do it instead. */
const anyone = { credential: "ignored", member: "own", admin: "organization", apiKey: null } as const;

const table = {
  "sessions.login": { ...anyone, isSignIn: true },
  /** To sign in without owning an open account. */
  "sessions.login.withoutAccount": { member: "none", admin: "organization", apiKey: null },
  "sessions.refresh": anyone,
  "sessions.read": { member: "own", admin: "organization", apiKey: "sessions:read" },
  /** To name another user whose sessions are listed. */
  "sessions.read.others": { member: "none", admin: "organization", apiKey: "sessions:read" },
  "sessions.invalidate": { member: "own", admin: "organization", apiKey: "sessions:write" },
  /** To give `admin_action` as the reason. */
  "sessions.invalidate.asAdmin": { member: "none", admin: "organization", apiKey: "sessions:write" },
  /** The session that calls, in the dashboard. */
  "sessions.signOut": { member: "own", admin: "own", apiKey: null },

  /** All accounts in sight, as a list. */
  "accounts.list": { member: "none", admin: "organization", apiKey: "accounts:read" },
  /** The accounts that the caller owns, as a list; an API key owns none. */
  "accounts.own": { member: "own", admin: "own", apiKey: null },
  "accounts.read": { member: "own", admin: "organization", apiKey: "accounts:read" },
  /** To leave `account_id` out, where the caller's only open account is then meant. */
  "accounts.byDefault": { member: "own", admin: "own", apiKey: null },
  "accounts.create": { member: "own", admin: "organization", apiKey: "accounts:write", boundApiKey: "none" },
  /** To name another owner than oneself, or none. */
  "accounts.create.forOthers": {
    member: "none",
    admin: "organization",
    apiKey: "accounts:write",
    refusal: "owner_user_id: a member owns the accounts it creates",
  },
  /** To own more accounts than ACCOUNTS_PER_OWNER. */
  "accounts.create.unlimited": { member: "none", admin: "organization", apiKey: null },
  "accounts.update": { member: "own", admin: "organization", apiKey: "accounts:write" },
  /** What closing an account would end. */
  "accounts.closing": { member: "own", admin: "organization", apiKey: "accounts:write" },
  "accounts.close": { member: "own", admin: "organization", apiKey: "accounts:write", needsFreshSignIn: true },
  /** To leave `account_id` out when closing. */
  "accounts.close.byDefault": { member: "own", admin: "none", apiKey: null },

  /** The user who is signed in; an API key is none. */
  "users.current": { member: "own", admin: "own", apiKey: null },
  "users.list": { member: "none", admin: "organization", apiKey: "users:read", boundApiKey: "none" },
  /** Without a credential this is a signup, if the instance is open to it. */
  "users.create.member": {
    credential: "optional",
    member: "none",
    admin: "organization",
    apiKey: "users:write",
    boundApiKey: "none",
  },
  "users.create.admin": {
    member: "none",
    admin: "organization",
    apiKey: null,
    needsFreshSignIn: true,
    refusal: "role: only an admin makes admins",
  },
  "users.remove": {
    member: "own",
    admin: "organization",
    apiKey: "users:write",
    boundApiKey: "none",
    needsFreshSignIn: true,
  },
  /** To change the password, one's own alone. */
  "users.password": { member: "own", admin: "own", apiKey: null, isSignIn: true },
  /** The holder of a link that resets a password. */
  "users.reset": anyone,

  "payments.read": { member: "own", admin: "organization", apiKey: "payments:read" },
  "payments.create": { member: "own", admin: "organization", apiKey: "payments:write" },
  "payments.cancel": { member: "own", admin: "organization", apiKey: "payments:write" },
  "payments.capture": { member: "own", admin: "organization", apiKey: "payments:write" },
  /** The holder of a pay link: to see the payment request, to pay it and to read the receipt. */
  "pay.link": anyone,

  "transactions.read": { member: "own", admin: "organization", apiKey: "transactions:read" },
  /** Of any type; the row of the type decides. */
  "transactions.create": { member: "own", admin: "organization", apiKey: "transactions:write" },
  /** To record money that was received outside the pay page. */
  "transactions.create.payment": {
    member: "own",
    admin: "organization",
    apiKey: "transactions:write",
    liveMemberNeeds: "membersRecordPayments",
  },
  /** To refund a payment, also through its payment request and what it was overpaid by. */
  "transactions.create.refund": { member: "own", admin: "organization", apiKey: "transactions:write" },
  "transactions.create.transfer": { member: "own", admin: "organization", apiKey: "transactions:write" },
  "transactions.create.credit": {
    member: "none",
    admin: "organization",
    apiKey: "transactions:write",
    refusal: "Only admins and API keys may create transactions of this type.",
  },
  "transactions.create.adjustment": {
    member: "none",
    admin: "organization",
    apiKey: "transactions:write",
    refusal: "Only admins and API keys may create transactions of this type.",
  },
  /** To take money off a closed account: by a refund, a transfer or an adjustment. */
  "transactions.create.fromClosedAccount": { member: "none", admin: "organization", apiKey: null },

  /** What happened to an object, as the dashboard shows it. */
  "timeline.read": { member: "own", admin: "organization", apiKey: null },
  /** To read who did it. */
  "timeline.read.actors": { member: "none", admin: "organization", apiKey: null },
  /** To see and to retry background jobs that have failed. */
  "jobs.manage": { member: "none", admin: "organization", apiKey: null },
  /** The holder of the link that sets up a new instance. */
  "instance.setup": anyone,
  "documents.read": anyone,
} satisfies Record<string, Row>;

export type RuleName = keyof typeof table;

export const rules = Object.fromEntries(
  Object.entries(table).map(([name, row]) => [name, { name, credential: "required", ...row }]),
) as Record<RuleName, AccessRule>;

/** The scopes that an API key can carry. */
export const scopes: readonly string[] = [
  ...new Set(Object.values(rules).flatMap((rule) => (rule.apiKey ? [rule.apiKey] : []))),
];
