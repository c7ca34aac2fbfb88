// Who may do what: the whole access table, as data. An operation without a row here cannot be called.
// An operation names its row. A row with a longer name, such as `users.create.admin`, answers a narrower question: it
// is checked in addition, by `may` or the operation's `accessFor`. `own` means what belongs to the user's own accounts.
// scope.ts decides which objects a caller sees.
import type { AccessRule } from "../kit/operation";

type Row = Omit<AccessRule, "name" | "credential"> & Partial<Pick<AccessRule, "credential">>;

/** The caller is not authenticated; a secret in the input may grant access instead. */
const anyone = { credential: "ignored", member: "own", admin: "organization", apiKey: null } as const;

const table = {
  "sessions.login": { ...anyone, isSignIn: true },
  /** To sign in without owning an open account. */
  "sessions.login.withoutAccount": { member: "none", admin: "organization", apiKey: null },
  "sessions.refresh": anyone,
  "sessions.read": { member: "own", admin: "organization", apiKey: "sessions:read" },
  /** To list the sessions of another user. */
  "sessions.read.others": { member: "none", admin: "organization", apiKey: "sessions:read" },
  "sessions.invalidate": { member: "own", admin: "organization", apiKey: "sessions:write" },
  /** To give `admin_action` as the reason. */
  "sessions.invalidate.asAdmin": { member: "none", admin: "organization", apiKey: "sessions:write" },
  /** To end the dashboard session that makes the call. */
  "sessions.signOut": { member: "own", admin: "own", apiKey: null },

  /** To list all accounts that the caller may see. */
  "accounts.list": { member: "none", admin: "organization", apiKey: "accounts:read" },
  /** To list the accounts that the caller owns; an API key owns none. */
  "accounts.own": { member: "own", admin: "own", apiKey: null },
  "accounts.read": { member: "own", admin: "organization", apiKey: "accounts:read" },
  /** To omit `account_id`, which then means the caller's only open account. */
  "accounts.byDefault": { member: "own", admin: "own", apiKey: null },
  "accounts.create": { member: "own", admin: "organization", apiKey: "accounts:write", boundApiKey: "none" },
  /** To name an owner other than oneself, or none. */
  "accounts.create.forOthers": {
    member: "none",
    admin: "organization",
    apiKey: "accounts:write",
    refusal: "owner_user_id: members own the accounts that they create",
  },
  /** To own more accounts than ACCOUNTS_PER_OWNER. */
  "accounts.create.unlimited": { member: "none", admin: "organization", apiKey: null },
  "accounts.update": { member: "own", admin: "organization", apiKey: "accounts:write" },
  /** To see what closing an account would end. */
  "accounts.closing": { member: "own", admin: "organization", apiKey: "accounts:write" },
  "accounts.close": { member: "own", admin: "organization", apiKey: "accounts:write", needsFreshSignIn: true },
  /** To omit `account_id` when closing. */
  "accounts.close.byDefault": { member: "own", admin: "none", apiKey: null },

  /** To read the signed-in user; an API key is not a user. */
  "users.current": { member: "own", admin: "own", apiKey: null },
  "users.list": { member: "none", admin: "organization", apiKey: "users:read", boundApiKey: "none" },
  /** Without a credential this is a sign-up, which the instance must allow. */
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
    refusal: "role: only an admin can create admins",
  },
  "users.remove": {
    member: "own",
    admin: "organization",
    apiKey: "users:write",
    boundApiKey: "none",
    needsFreshSignIn: true,
  },
  /** To change one's own password. */
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
  /** Of any type; the row of the type is checked too. */
  "transactions.create": { member: "own", admin: "organization", apiKey: "transactions:write" },
  /** To record money that was received outside the pay page. */
  "transactions.create.payment": {
    member: "own",
    admin: "organization",
    apiKey: "transactions:write",
    liveMemberNeeds: "membersRecordPayments",
  },
  /** To refund a payment, directly or through its payment request, or the surplus of an overpaid one. */
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
  /** To move money out of a closed account by a refund, a transfer or an adjustment. */
  "transactions.create.fromClosedAccount": { member: "none", admin: "organization", apiKey: null },

  /** To read the timeline of an object in the dashboard. */
  "timeline.read": { member: "own", admin: "organization", apiKey: null },
  /** To read who did it. */
  "timeline.read.actors": { member: "none", admin: "organization", apiKey: null },
  /** To see and to retry background jobs that have failed. */
  "jobs.manage": { member: "none", admin: "organization", apiKey: null },
  /** The holder of the link that sets up a new instance. */
  "instance.setup": anyone,
  /** To read the description of the API. */
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
