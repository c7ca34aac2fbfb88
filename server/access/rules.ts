// Who may do what: the whole access table, as data. An operation without a row here cannot be called.
// An operation names its row. A row with a longer name, such as `users.create.admin`, answers a narrower question: it
// is checked in addition, by `may` or the operation's `accessFor`. `own` means what belongs to the user: the user's own
// accounts and sessions. scope.ts decides which objects a caller sees.
import type { AccessRule } from "../kit/operation";

type Row = Omit<AccessRule, "name" | "credential"> & Partial<Pick<AccessRule, "credential">>;

/** Every role may: members on what is theirs, the others on everything. The sets below are named after who may. */
const everybody = { member: "own", viewer: "organization", operator: "organization", admin: "organization" } as const;
/** The caller is not authenticated; a secret in the input may grant access instead. */
const anyone = { ...everybody, credential: "ignored", apiKey: null } as const;
const allButViewers = { ...everybody, viewer: "none" } as const;
const allButMembers = { ...everybody, member: "none" } as const;
const ownersAndAdmins = { ...allButViewers, operator: "none" } as const;
const operatorsAndAdmins = { ...allButViewers, member: "none" } as const;
const viewersAndAdmins = { ...allButMembers, operator: "none" } as const;
const onlyAdmins = { ...operatorsAndAdmins, operator: "none" } as const;
/** To change a balance without a payment. */
const correcting = {
  ...operatorsAndAdmins,
  apiKey: "transactions:write",
  refusal: "Only operators, admins and API keys may create transactions of this type.",
} as const;
const freshAdmins = { ...onlyAdmins, apiKey: null, needsFreshSignIn: "inDashboard" } as const;
/** To make somebody who can make others: a stolen token must not become a lasting one. */
const makingStaff = { ...freshAdmins, needsFreshSignIn: "always" } as const;
/** Every role may, on what is the user's own. */
const oneself = { member: "own", viewer: "own", operator: "own", admin: "own" } as const;
const oneselfAndAdmins = { ...oneself, admin: "organization" } as const;

const table = {
  /** To learn who the credential belongs to. */
  "me.read": { ...oneself, apiKey: "any", worksWithoutFactor: true },
  "sessions.login": { ...anyone, isSignIn: true },
  /** To sign in without owning an open account. */
  "sessions.login.withoutAccount": { ...allButMembers, apiKey: null },
  "sessions.refresh": anyone,
  "sessions.read": { ...oneselfAndAdmins, viewer: "organization", apiKey: "sessions:read", boundApiKey: "none" },
  /** To list the sessions of another user. */
  "sessions.read.others": { ...viewersAndAdmins, apiKey: "sessions:read", boundApiKey: "none" },
  /** To see in the dashboard when users were last seen. */
  "sessions.lastSeen": { ...viewersAndAdmins, apiKey: null },
  "sessions.invalidate": {
    ...oneselfAndAdmins,
    apiKey: "sessions:write",
    boundApiKey: "none",
    worksWithoutFactor: true,
  },
  /** To give `admin_action` as the reason. */
  "sessions.invalidate.asAdmin": { ...onlyAdmins, apiKey: "sessions:write", boundApiKey: "none" },
  /** To end all sessions of a user. */
  "sessions.endAll": { ...oneselfAndAdmins, apiKey: null },
  /** To end the dashboard session that makes the call. */
  "sessions.signOut": { ...oneself, apiKey: null, worksWithoutFactor: true },

  /** To list all accounts that the caller may see. */
  "accounts.list": { ...allButMembers, apiKey: "accounts:read" },
  /** To list the accounts that the caller owns; an API key owns none. */
  "accounts.own": { ...oneself, apiKey: null },
  "accounts.read": { ...everybody, apiKey: "accounts:read" },
  /** To omit `account_id`, which then means the account that the user acts for by default. */
  "accounts.byDefault": { ...oneself, viewer: "none", apiKey: null },
  "accounts.create": { ...ownersAndAdmins, apiKey: "accounts:write", boundApiKey: "none" },
  /** To name an owner other than oneself, or none. */
  "accounts.create.forOthers": {
    ...onlyAdmins,
    apiKey: "accounts:write",
    refusal: "owner_user_id: members own the accounts that they create",
  },
  /** To own more accounts than ACCOUNTS_PER_OWNER. */
  "accounts.create.unlimited": { ...allButMembers, apiKey: null },
  "accounts.update": { ...ownersAndAdmins, apiKey: "accounts:write" },
  /** To change the owner; a key needs the scope in addition to that of other changes. */
  "accounts.update.owner": {
    ...onlyAdmins,
    apiKey: "accounts:owner",
    boundApiKey: "none",
    // The new owner can move the account's money out.
    needsFreshSignIn: "inDashboard",
    refusal: "owner_user_id: only admins can change the owner, and API keys with the scope accounts:owner",
  },
  /** To see a logo at its address. */
  "accounts.viewLogo": anyone,
  /** To see what closing an account would end. */
  "accounts.closing": { ...ownersAndAdmins, apiKey: "accounts:write" },
  "accounts.close": { ...ownersAndAdmins, apiKey: "accounts:write", needsFreshSignIn: "inDashboard" },
  /** To omit `account_id` when closing. */
  "accounts.close.byDefault": { member: "own", viewer: "none", operator: "none", admin: "none", apiKey: null },

  /** To read the signed-in user; an API key is not a user. */
  "users.current": { ...oneself, apiKey: null, worksWithoutFactor: true },
  /** To read one user with accounts and sessions. */
  "users.read": { ...oneselfAndAdmins, viewer: "organization", apiKey: null },
  "users.list": { ...viewersAndAdmins, apiKey: "users:read", boundApiKey: "none" },
  /** Without a credential this is a sign-up, which the instance must allow. */
  "users.create.member": { credential: "optional", ...onlyAdmins, apiKey: "users:write", boundApiKey: "none" },
  /** To see whether anybody may sign up. */
  "users.signUp": anyone,
  "users.create.viewer": { ...onlyAdmins, apiKey: null, refusal: "role: only an admin can create viewers" },
  "users.create.operator": { ...makingStaff, refusal: "role: only an admin can create operators" },
  "users.create.admin": { ...makingStaff, refusal: "role: only an admin can create admins" },
  /** To change a user: one's own profile, or a role. */
  "users.update": { ...oneselfAndAdmins, apiKey: null },
  /** To change name, language or time zone. */
  "users.update.profile": {
    ...oneself,
    apiKey: null,
    refusal: "name, locale, timezone: only the user can change them",
  },
  /** To change a role. Taking away that of an admin needs a fresh sign-in too. */
  "users.update.role": { ...onlyAdmins, apiKey: null, refusal: "role: only an admin can change it" },
  /** To make a user an operator or an admin. */
  "users.update.role.promote": { ...makingStaff, refusal: "role: only an admin can change it" },
  /** To keep an unverified address when somebody is invited to it. */
  "users.keepUnverifiedEmail": { ...allButMembers, apiKey: null },
  /** To see who is invited, without the links. */
  "invitations.read": { ...viewersAndAdmins, apiKey: "users:read", boundApiKey: "none" },
  "invitations.create.member": {
    ...onlyAdmins,
    apiKey: "users:write",
    boundApiKey: "none",
    needsVerifiedEmail: "always",
  },
  "invitations.create.viewer": { ...onlyAdmins, apiKey: null, refusal: "role: only an admin can invite viewers" },
  "invitations.create.operator": { ...makingStaff, refusal: "role: only an admin can invite operators" },
  "invitations.create.admin": { ...makingStaff, refusal: "role: only an admin can invite admins" },
  "invitations.revoke": { ...onlyAdmins, apiKey: "users:write", boundApiKey: "none" },
  /** To mail an invitation again. */
  "invitations.resend": { ...onlyAdmins, apiKey: null, needsVerifiedEmail: "always" },
  /** The holder of an invitation's link. */
  "invitations.view": anyone,
  "users.remove": { ...oneselfAndAdmins, apiKey: "users:write", boundApiKey: "none", needsFreshSignIn: "inDashboard" },
  /** To remove somebody else who is not a member. */
  "users.remove.staff": { ...freshAdmins, refusal: "user_id: API keys remove members only" },
  /** To change one's own password. */
  "users.password": { ...oneself, apiKey: null, isSignIn: true },
  /** To ask for a link that resets a password, and to use it. */
  "users.reset": anyone,
  /** To have such a link mailed to a user. */
  "users.sendReset": { ...onlyAdmins, apiKey: null, needsVerifiedEmail: "always" },
  /** The holder of a link that verifies an e-mail address, changes it or undoes a change. */
  "users.emailLink": anyone,
  /** To have the link that verifies one's own address mailed again. */
  "users.sendVerification": { ...oneself, apiKey: null },
  /** To change one's own address. */
  "users.changeEmail": { ...oneself, apiKey: null, needsFreshSignIn: "inDashboard" },
  /** To see the address that one has asked for. */
  "users.pendingEmail": { ...oneself, apiKey: null },
  /** To cancel the change of one's address. */
  "users.cancelEmailChange": { ...oneself, apiKey: null },

  /** To see one's own second factors. */
  "factors.read": { ...oneself, apiKey: null, worksWithoutFactor: true },
  /** To rename one's own passkeys. */
  "factors.rename": { ...oneself, apiKey: null },
  /** To add, replace and remove one's own second factors. */
  "factors.write": { ...oneself, apiKey: null, needsFreshSignIn: "inDashboard", worksWithoutFactor: true },
  /** To remove the second factors of a user who has lost them. */
  "factors.removeLost": freshAdmins,

  /** To see API keys, without their secrets. */
  "apiKeys.read": { ...viewersAndAdmins, apiKey: null },
  /** To create and rotate them. No API key may do this. */
  "apiKeys.write": { ...makingStaff, needsVerifiedEmail: "always" },
  /** To revoke them. */
  "apiKeys.revoke": freshAdmins,
  /** To search everything that one sees at once, in the dashboard. */
  "search.find": { ...everybody, apiKey: null },
  /** To see the figures of the home page, and what needs attention soon. */
  "overview.read": { ...everybody, apiKey: null },

  /** To save views of lists and choose columns, for oneself. */
  "views.own": { ...oneself, apiKey: null },
  "customers.read": { ...everybody, apiKey: "customers:read" },
  "customers.write": { ...allButViewers, apiKey: "customers:write" },
  /** To erase customers, and to merge one into another: neither can be undone. */
  "customers.erase": { ...allButViewers, apiKey: "customers:erase", needsFreshSignIn: "inDashboard" },
  "subscriptions.read": { ...everybody, apiKey: "subscriptions:read" },
  /** To change, cancel, pause or resume them. */
  "subscriptions.write": { ...allButViewers, apiKey: "subscriptions:write" },
  "payments.read": { ...everybody, apiKey: "payments:read" },
  "payments.create": { ...allButViewers, apiKey: "payments:write", needsVerifiedEmail: "inLiveMode" },
  "payments.cancel": { ...allButViewers, apiKey: "payments:write" },
  "payments.capture": { ...allButViewers, apiKey: "payments:write", needsVerifiedEmail: "inLiveMode" },
  /** The holder of a pay link: to see the payment request, to pay it and to read the receipt. */
  "pay.link": anyone,

  /** To see mails about payments. */
  "mails.read": { ...everybody, apiKey: "mails:read" },
  /** To see mails to users too. */
  "mails.read.all": { ...onlyAdmins, apiKey: "mails:read" },
  /** To see what the mail server answered. */
  "mails.read.answers": { ...operatorsAndAdmins, apiKey: "mails:read", boundApiKey: "none" },
  /** To mail a payment request. */
  "mails.send": { ...allButViewers, apiKey: "mails:write", needsVerifiedEmail: "always" },
  /** To mail it to an address other than the customer's. */
  "mails.send.elsewhere": {
    ...operatorsAndAdmins,
    apiKey: null,
    refusal: "to: only operators and admins can send to an address other than the customer's",
  },
  "mails.resend": { ...allButViewers, apiKey: "mails:write", needsVerifiedEmail: "always" },
  /** To resend mails that are not about payments. */
  "mails.resend.all": { ...onlyAdmins, apiKey: null },
  /** To see which mail server is set up. */
  "mails.server": { ...viewersAndAdmins, apiKey: null },
  /** To send a test mail to oneself. */
  "mails.test": { ...onlyAdmins, apiKey: null, needsVerifiedEmail: "always" },
  "transactions.read": { ...everybody, apiKey: "transactions:read" },
  "ledger.read": { ...everybody, apiKey: "ledger:read" },
  /** Of any type; the row of the type is checked too. */
  "transactions.create": { ...allButViewers, apiKey: "transactions:write", needsVerifiedEmail: "inLiveMode" },
  /** To record money that was received outside the pay page. */
  "transactions.create.payment": {
    ...allButViewers,
    apiKey: "transactions:write",
    liveMemberNeeds: "membersRecordPayments",
  },
  /** To refund a payment, directly or through its payment request, or the surplus of an overpaid one. */
  "transactions.create.refund": { ...allButViewers, apiKey: "transactions:write", needsVerifiedEmail: "inLiveMode" },
  "transactions.create.transfer": { ...allButViewers, apiKey: "transactions:write" },
  "transactions.create.credit": correcting,
  "transactions.create.adjustment": correcting,
  /** To move money out of a closed account by a refund, a transfer or an adjustment, or to pay what it owes. */
  "transactions.create.onClosedAccount": { ...onlyAdmins, apiKey: null },

  /** To mark as done what needs attention. */
  "attention.dismiss": { ...onlyAdmins, apiKey: null },

  /** To see the organization's settings. */
  "organizations.read": { ...viewersAndAdmins, apiKey: null },
  "organizations.update": { ...onlyAdmins, apiKey: null },
  /** To change what members may do, who must have a second factor, or when step-up is needed. */
  "organizations.update.security": { ...onlyAdmins, apiKey: null, needsFreshSignIn: "inDashboard" },
  /** To read the audit log of the organization, and how it is protected. */
  "audit.read": { ...viewersAndAdmins, apiKey: "audit:read", boundApiKey: "none" },
  /** To read the timeline of an object in the dashboard. */
  "timeline.read": { ...everybody, apiKey: null },
  /** To read who did it. */
  "timeline.read.actors": { ...viewersAndAdmins, apiKey: null },
  /** To see the clock of a sandbox organization. */
  "sandbox.clock.read": { ...viewersAndAdmins, apiKey: "sandbox:write", boundApiKey: "none" },
  /** To move it. */
  "sandbox.clock.move": { ...onlyAdmins, apiKey: "sandbox:write", boundApiKey: "none" },
  /** To bring events of the sandbox provider about, and to repeat them. */
  "sandbox.events": { ...onlyAdmins, apiKey: "sandbox:write", boundApiKey: "none" },
  /** To see background jobs that have failed. */
  "jobs.read": { ...allButMembers, apiKey: null },
  /** To retry background jobs that have failed. */
  "jobs.manage": { ...operatorsAndAdmins, apiKey: null },
  /** To see the state of the server: versions, sizes, the last backup and proof. */
  "instance.read": { ...onlyAdmins, apiKey: null },
  /** The holder of the link that sets up a new instance. */
  "instance.setup": anyone,
  /** To read the description of the API. */
  "documents.read": anyone,
} satisfies Record<string, Row>;

export type RuleName = keyof typeof table;

export const rules = Object.fromEntries(
  Object.entries(table).map(([name, row]) => [name, { name, credential: "required", ...row }]),
) as Record<RuleName, AccessRule>;
