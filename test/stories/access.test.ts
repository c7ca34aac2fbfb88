// Who may call what: every operation, by every kind of caller, on an object of a member of the home organization.
// The expectations are written out here, independently of rules.ts.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { organizations } from "@/db/tables";
import { boundScopes, scopes } from "@/server/access/key-scopes";
import { createInvitation } from "@/server/domains/invitations/operations/create";
import type { Actor } from "@/server/kit/context";
import { Download } from "@/server/kit/download";
import { Failure } from "@/server/kit/errors";
import type { Operation } from "@/server/kit/operation";
import { operations } from "@/server/pipeline/operations";
import { perform } from "@/server/pipeline/perform";
import { mailNotice } from "@/test/mails";
import { type ApiKey, apiKey, newEmail } from "@/test/people";
import { performAs } from "@/test/perform-as";
import { givePassword, signInAs } from "@/test/signing-in";
import { subscribe } from "@/test/subscriber";
import { callRequest, openWorld, type TestOrganization, type TestUser, type World } from "@/test/world";

const callers = [
  "anonymous",
  "owner",
  "other member",
  "viewer",
  "operator",
  "admin",
  "platform",
  "platform without the scope",
  "foreign member",
  "foreign viewer",
  "foreign operator",
  "foreign admin",
  "foreign platform",
] as const;
type Caller = (typeof callers)[number];
type Outcome = "ok" | string;

/** A row of the table: one outcome for each caller, in the order above. */
const row = (
  anonymous: Outcome,
  members: readonly [owner: Outcome, other: Outcome],
  staff: readonly [viewer: Outcome, operator: Outcome, admin: Outcome],
  keys: readonly [withScope: Outcome, without: Outcome],
  foreign: readonly [member: Outcome, viewer: Outcome, operator: Outcome, admin: Outcome, platform: Outcome],
): Record<Caller, Outcome> => {
  const outcomes = [anonymous, ...members, ...staff, ...keys, ...foreign];
  return Object.fromEntries(callers.map((caller, i) => [caller, outcomes[i]])) as Record<Caller, Outcome>;
};
/** The same outcome for all callers of another organization. */
const all = (outcome: Outcome) => [outcome, outcome, outcome, outcome, outcome] as const;
const denied = "insufficient_permissions";
const unknownCaller = "unauthorized";
/**
 * The object belongs to its owner. The others of its organization may use it, as far as their role allows; for everyone
 * else it does not exist.
 */
const tenantOnly = (
  missing: Outcome,
  { found = "ok", viewer = found, operator = found }: { found?: Outcome; viewer?: Outcome; operator?: Outcome } = {},
) => {
  const elsewhere = (outcome: Outcome) => (outcome === denied ? denied : missing);
  return row(
    unknownCaller,
    [found, missing],
    [viewer, operator, found],
    [found, denied],
    [missing, elsewhere(viewer), elsewhere(operator), missing, missing],
  );
};
/** Admins of the organization do this, in the dashboard. */
const adminsOnly = (missing: Outcome) =>
  row(
    unknownCaller,
    [denied, denied],
    [denied, denied, "ok"],
    [denied, denied],
    [denied, denied, denied, missing, denied],
  );
/** Like {@link tenantOnly}, for what viewers only look at. */
const allButViewers = (missing: Outcome, found: Outcome = "ok") => tenantOnly(missing, { found, viewer: denied });
/** Like {@link tenantOnly}, for what only owners and admins change. */
const ownersAndAdmins = (missing: Outcome) => tenantOnly(missing, { viewer: denied, operator: denied });
/** No object is named: every permitted caller gets its own result. */
const ownResult = tenantOnly("ok");
/** Every credential, whatever its role or scopes. */
const anyCredential = row(unknownCaller, ["ok", "ok"], ["ok", "ok", "ok"], ["ok", "ok"], all("ok"));
/** Users of the organization get its records, members excepted; so do API keys with the scope. */
const allButMembers = row(
  unknownCaller,
  [denied, denied],
  ["ok", "ok", "ok"],
  ["ok", denied],
  [denied, "ok", "ok", "ok", "ok"],
);
/** Only users with these roles may call it, and no API key, whatever its scopes. */
const usersOnly = (outcome: Outcome, roles: { viewer: boolean; operator: boolean }) => {
  const viewer = roles.viewer ? outcome : denied;
  const operator = roles.operator ? outcome : denied;
  return row(
    unknownCaller,
    [denied, denied],
    [viewer, operator, outcome],
    [denied, denied],
    [denied, viewer, operator, outcome, denied],
  );
};
const everyone = (outcome: Outcome) =>
  row(outcome, [outcome, outcome], [outcome, outcome, outcome], [outcome, outcome], all(outcome));
/** Every user, for what is the user's own; an API key is no user. */
const oneselfOnly = (outcome: Outcome) =>
  row(
    unknownCaller,
    [outcome, outcome],
    [outcome, outcome, outcome],
    [denied, denied],
    [outcome, outcome, outcome, outcome, denied],
  );
/** Viewers and admins get what their organization has; so do API keys with the scope. */
const viewersAndAdmins = row(
  unknownCaller,
  [denied, denied],
  ["ok", denied, "ok"],
  ["ok", denied],
  [denied, "ok", denied, "ok", "ok"],
);
const adminsAndKeys = row(
  unknownCaller,
  [denied, denied],
  [denied, denied, "ok"],
  ["ok", denied],
  [denied, denied, denied, "ok", "ok"],
);
/** An object of the home organization, which other organizations do not see and only its admins change. */
const homeAdminOnly = (missing: Outcome) =>
  row(
    unknownCaller,
    [denied, denied],
    [denied, denied, "ok"],
    [denied, denied],
    [denied, denied, denied, missing, denied],
  );
const newInvitation = async () => {
  const given = { email: newEmail(), role: "member" } as const;
  return { invitation_id: (await world.call(createInvitation, home.admin.actor, given)).invitation_id };
};
const newKey = async () => ({ api_key_id: (await apiKey(world, home.id, ["payments:read"])).id });

/** Only a dashboard session may call it; these callers have API sessions. */
const dashboardOnly = () =>
  row(unknownCaller, [denied, denied], [denied, denied, denied], [denied, denied], all(denied));

interface Fixture {
  person: TestUser;
  paymentId: string;
  transactionId: string;
}

interface Cell {
  expected: () => Record<Caller, Outcome>;
  input: (fixture: Fixture) => Record<string, unknown> | Promise<Record<string, unknown>>;
}

const payment = { type: "payment", amount: 100, currency: "EUR" };
const unknownPasskey = "psk_01kacz7q4v8n2j5s6t3w9x0y1r";
const unknownView = "vw_01kacz7q4v8n2j5s6t3w9x0y1r";
const business = { account_type: "business", account_name: "New", email: "new@example.com" };
const cells: Record<string, Cell> = {
  "me.get": { expected: () => anyCredential, input: () => ({}) },
  "sessions.login": {
    expected: () => everyone("invalid_credentials"),
    input: () => ({ email: newEmail(), password: "x" }),
  },
  "sessions.signIn": {
    expected: () => everyone("invalid_credentials"),
    input: () => ({ email: newEmail(), password: "x" }),
  },
  "sessions.passkeyChallenge": { expected: () => everyone("ok"), input: () => ({}) },
  "sessions.signInWithPasskey": {
    expected: () => everyone("passkey_refused"),
    input: () => ({ credential_id: "x", client_data: "x", authenticator_data: "x", signature: "x" }),
  },
  "sessions.refresh": { expected: () => everyone("refresh_token_invalid"), input: () => ({}) },
  "sessions.invalidate": {
    expected: () =>
      row(unknownCaller, ["ok", denied], [denied, denied, "ok"], ["ok", denied], all("session_not_found")),
    input: async ({ person }) => ({ session_id: await openSession(person) }),
  },
  "sessions.signOut": {
    // Only a dashboard session can sign out this way; these callers have API sessions.
    expected: dashboardOnly,
    input: () => ({}),
  },
  "sessions.list": { expected: () => ownResult, input: () => ({}) },
  "sessions.list (of the owner)": {
    expected: () =>
      row(
        unknownCaller,
        ["ok", denied],
        ["ok", denied, "ok"],
        ["ok", denied],
        [denied, "user_not_found", denied, "user_not_found", "user_not_found"],
      ),
    input: ({ person }) => ({ user_id: person.id }),
  },
  "sessions.lastSeen": {
    expected: () => usersOnly("ok", { viewer: true, operator: false }),
    input: ({ person }) => ({ user_ids: [person.id] }),
  },
  "sessions.endAll": {
    expected: () =>
      row(
        unknownCaller,
        ["ok", "user_not_found"],
        [denied, "user_not_found", "ok"],
        [denied, denied],
        ["user_not_found", "user_not_found", "user_not_found", "user_not_found", denied],
      ),
    input: ({ person }) => ({ user_id: person.id, keeps_current: false }),
  },
  "accounts.list": { expected: () => allButMembers, input: () => ({}) },
  "accounts.names": { expected: () => ownResult, input: ({ person }) => ({ account_ids: [person.accountId] }) },
  "search.find": { expected: () => oneselfOnly("ok"), input: () => ({ q: "ada" }) },
  "views.list": { expected: () => oneselfOnly("ok"), input: () => ({}) },
  "views.create": {
    expected: dashboardOnly,
    input: () => ({ list: "accounts", name: "Ada", filters: { q: "ada" } }),
  },
  "views.update": { expected: dashboardOnly, input: () => ({ view_id: unknownView, name: "Ada" }) },
  "views.remove": { expected: dashboardOnly, input: () => ({ view_id: unknownView }) },
  "views.setDisplay": {
    expected: dashboardOnly,
    input: () => ({ list: "accounts", columns: ["name"], rows: 20 }),
  },
  "overview.attention": { expected: () => oneselfOnly("ok"), input: () => ({}) },
  "overview.figures": { expected: () => oneselfOnly("ok"), input: () => ({ days: 7, timezone: "UTC" }) },
  "accounts.own": {
    expected: () =>
      row(unknownCaller, ["ok", "ok"], ["ok", "ok", "ok"], [denied, denied], ["ok", "ok", "ok", "ok", denied]),
    input: () => ({}),
  },
  "accounts.get": {
    expected: () => tenantOnly("account_not_found"),
    input: ({ person }) => ({ account_id: person.accountId }),
  },
  "accounts.create": {
    expected: () =>
      row(unknownCaller, ["ok", "ok"], [denied, denied, "ok"], ["ok", denied], ["ok", denied, denied, "ok", "ok"]),
    input: () => business,
  },
  "accounts.create (for the owner)": {
    expected: () =>
      row(
        unknownCaller,
        ["ok", denied],
        [denied, denied, "ok"],
        ["ok", denied],
        [denied, denied, denied, "user_not_found", "user_not_found"],
      ),
    input: ({ person }) => ({ ...business, owner_user_id: person.id }),
  },
  "accounts.create (for nobody)": {
    expected: () =>
      row(
        unknownCaller,
        [denied, denied],
        [denied, denied, "ok"],
        ["ok", denied],
        [denied, denied, denied, "ok", "ok"],
      ),
    input: () => ({ ...business, owner_user_id: null }),
  },
  "accounts.update": {
    expected: () => ownersAndAdmins("account_not_found"),
    input: ({ person }) => ({ account_id: person.accountId, account_name: "Renamed" }),
  },
  "accounts.update (the owner)": {
    expected: () =>
      row(
        unknownCaller,
        [denied, denied],
        [denied, denied, "ok"],
        ["ok", denied],
        [denied, denied, denied, "account_not_found", "account_not_found"],
      ),
    input: ({ person }) => ({ account_id: person.accountId, owner_user_id: home.other.id }),
  },
  "accounts.close": {
    expected: () => ownersAndAdmins("account_not_found"),
    input: ({ person }) => ({ account_id: person.accountId }),
  },
  "accounts.setLogo": {
    expected: () => ownersAndAdmins("account_not_found"),
    input: ({ person }) => ({ account_id: person.accountId, image: null }),
  },
  "accounts.viewLogo": { expected: () => everyone("logo_not_found"), input: () => ({ hash: "0".repeat(64) }) },
  "accounts.closing": {
    expected: () => ownersAndAdmins("account_not_found"),
    input: ({ person }) => ({ account_id: person.accountId }),
  },
  "users.create": {
    expected: () =>
      row("ok", [denied, denied], [denied, denied, "ok"], ["ok", denied], [denied, denied, denied, "ok", "ok"]),
    input: () => ({ email: `${crypto.randomUUID()}@example.com`, password: "a long enough passphrase" }),
  },
  ...Object.fromEntries(
    (["viewer", "operator", "admin"] as const).map((role): [string, Cell] => [
      `users.create (${role})`,
      {
        expected: () =>
          row(
            denied,
            [denied, denied],
            [denied, denied, "ok"],
            [denied, denied],
            [denied, denied, denied, "ok", denied],
          ),
        input: () => ({ email: newEmail(), password: "a long enough passphrase", role }),
      },
    ]),
  ),
  "users.changePassword": {
    // Only users themselves. The password is wrong, because these callers have none.
    expected: () =>
      row(
        unknownCaller,
        ["invalid_credentials", "user_not_found"],
        [denied, "user_not_found", denied],
        [denied, denied],
        ["user_not_found", "user_not_found", "user_not_found", "user_not_found", denied],
      ),
    input: ({ person }) => ({
      ...{ user_id: person.id, current_password: "x" },
      new_password: "an entirely new passphrase",
    }),
  },
  "users.requestReset": { expected: () => everyone("ok"), input: () => ({ email: newEmail() }) },
  "users.sendReset": {
    // These tests have no mail server.
    expected: () =>
      row(
        unknownCaller,
        [denied, denied],
        [denied, denied, "mail_server_missing"],
        [denied, denied],
        [denied, denied, denied, "user_not_found", denied],
      ),
    input: ({ person }) => ({ user_id: person.id }),
  },
  "users.sendVerification": {
    // These tests have no mail server.
    expected: () => oneselfOnly("mail_server_missing"),
    input: () => ({}),
  },
  "users.changeEmail": {
    expected: () => oneselfOnly("mail_server_missing"),
    input: () => ({ email: newEmail() }),
  },
  "users.pendingEmail": { expected: () => oneselfOnly("ok"), input: () => ({}) },
  "users.cancelEmailChange": { expected: () => oneselfOnly("ok"), input: () => ({}) },
  "users.viewEmailLink": { expected: () => everyone("ok"), input: () => ({ token: "none" }) },
  "users.useEmailLink": { expected: () => everyone("email_link_invalid"), input: () => ({ token: "none" }) },
  "users.viewReset": { expected: () => everyone("ok"), input: () => ({ token: "none" }) },
  "users.resetPassword": {
    expected: () => everyone("reset_link_invalid"),
    input: () => ({ token: "none", new_password: "an entirely new passphrase" }),
  },
  "users.list": {
    expected: () =>
      row(unknownCaller, [denied, denied], ["ok", denied, "ok"], ["ok", denied], [denied, "ok", denied, "ok", "ok"]),
    input: () => ({}),
  },
  "users.get": {
    expected: () =>
      row(
        unknownCaller,
        ["ok", "user_not_found"],
        ["ok", "user_not_found", "ok"],
        [denied, denied],
        ["user_not_found", "user_not_found", "user_not_found", "user_not_found", denied],
      ),
    input: ({ person }) => ({ user_id: person.id }),
  },
  "users.current": {
    expected: () =>
      row(unknownCaller, ["ok", "ok"], ["ok", "ok", "ok"], [denied, denied], ["ok", "ok", "ok", "ok", denied]),
    input: () => ({}),
  },
  "users.update": {
    // Users change only themselves.
    expected: () =>
      row(
        unknownCaller,
        ["ok", "user_not_found"],
        [denied, "user_not_found", denied],
        [denied, denied],
        ["user_not_found", "user_not_found", "user_not_found", "user_not_found", denied],
      ),
    input: ({ person }) => ({ user_id: person.id, name: "Renamed" }),
  },
  ...Object.fromEntries(
    (["viewer", "operator", "admin"] as const).map((role): [string, Cell] => [
      `users.update (to ${role})`,
      {
        expected: () =>
          row(
            unknownCaller,
            [denied, denied],
            [denied, denied, "ok"],
            [denied, denied],
            [denied, denied, denied, "user_not_found", denied],
          ),
        input: ({ person }) => ({ user_id: person.id, role }),
      },
    ]),
  ),
  "users.remove": {
    expected: () =>
      row(
        unknownCaller,
        ["ok", "user_not_found"],
        [denied, "user_not_found", "ok"],
        ["ok", denied],
        all("user_not_found"),
      ),
    input: ({ person }) => ({ user_id: person.id }),
  },
  ...Object.fromEntries(
    (["viewer", "operator", "admin"] as const).map((role): [string, Cell] => [
      `users.remove (${role})`,
      {
        // API keys remove members only.
        expected: () =>
          row(
            unknownCaller,
            ["user_not_found", "user_not_found"],
            [denied, "user_not_found", "ok"],
            [denied, denied],
            all("user_not_found"),
          ),
        input: async () => ({ user_id: (await world.user(home.id, role)).id }),
      },
    ]),
  ),
  "users.remove (with an heir)": {
    expected: () =>
      row(
        unknownCaller,
        [denied, "user_not_found"],
        [denied, "user_not_found", "ok"],
        ["ok", denied],
        all("user_not_found"),
      ),
    input: ({ person }) => ({ user_id: person.id, new_owner_user_id: home.other.id }),
  },
  "auditEntries.list": { expected: () => viewersAndAdmins, input: () => ({}) },
  "auditEntries.state": { expected: () => viewersAndAdmins, input: () => ({}) },
  "auditEntries.targets": { expected: () => viewersAndAdmins, input: ({ person }) => ({ target_ids: [person.id] }) },
  "sandbox.clock": { expected: () => viewersAndAdmins, input: () => ({}) },
  "sandbox.moveClock": { expected: () => adminsAndKeys, input: () => ({ advance: "PT1S" }) },
  "sandbox.storm": { expected: () => adminsAndKeys, input: () => ({ duplicates: 1 }) },
  "sandbox.events": {
    expected: () =>
      row(
        unknownCaller,
        [denied, denied],
        [denied, denied, "ok"],
        ["ok", denied],
        [denied, denied, denied, "payment_not_found", "payment_not_found"],
      ),
    input: ({ paymentId }) => ({ payment_id: paymentId }),
  },
  "sandbox.simulate": {
    expected: () =>
      row(
        unknownCaller,
        [denied, denied],
        [denied, denied, "event_not_possible"],
        ["event_not_possible", denied],
        [denied, denied, denied, "payment_not_found", "payment_not_found"],
      ),
    input: ({ paymentId }) => ({ payment_id: paymentId, event: "settle" }),
  },
  "organizations.get": { expected: () => usersOnly("ok", { viewer: true, operator: false }), input: () => ({}) },
  "organizations.update": {
    expected: () => usersOnly("ok", { viewer: false, operator: false }),
    input: () => ({ timezone: null }),
  },
  "organizations.update (what members may do)": {
    expected: () => usersOnly("ok", { viewer: false, operator: false }),
    input: () => ({ members_record_payments: false }),
  },
  "auditEntries.export": { expected: () => viewersAndAdmins, input: () => ({}) },
  "factors.own": {
    expected: () =>
      row(unknownCaller, ["ok", "ok"], ["ok", "ok", "ok"], [denied, denied], ["ok", "ok", "ok", "ok", denied]),
    input: () => ({}),
  },
  // Only a dashboard session changes factors; these callers have API sessions.
  ...Object.fromEntries(
    Object.entries({
      ...{ setUpTotp: {}, confirmTotp: { code: "000000" }, removeTotp: {}, renewCodes: {}, setUpPasskey: {} },
      addPasskey: { credential_id: "x", client_data: "x", attestation: "x", transports: [], name: "x" },
      renamePasskey: { passkey_id: unknownPasskey, name: "x" },
      removePasskey: { passkey_id: unknownPasskey },
      removeLost: { user_id: "usr_01kacz7q4v8n2j5s6t3w9x0y1r" },
    }).map(([name, input]): [string, Cell] => [`factors.${name}`, { expected: dashboardOnly, input: () => input }]),
  ),
  "users.viewSignUp": { expected: () => everyone("ok"), input: () => ({}) },
  "invitations.create": {
    expected: () =>
      row(
        unknownCaller,
        [denied, denied],
        [denied, denied, "ok"],
        ["ok", denied],
        [denied, denied, denied, "ok", "ok"],
      ),
    input: () => ({ email: newEmail(), role: "member" }),
  },
  ...Object.fromEntries(
    (["viewer", "operator", "admin"] as const).map((role): [string, Cell] => [
      `invitations.create (${role})`,
      {
        expected: () => usersOnly("ok", { viewer: false, operator: false }),
        input: () => ({ email: newEmail(), role }),
      },
    ]),
  ),
  "invitations.list": { expected: () => viewersAndAdmins, input: () => ({}) },
  "invitations.revoke": {
    expected: () =>
      row(
        unknownCaller,
        [denied, denied],
        [denied, denied, "ok"],
        ["ok", denied],
        [denied, denied, denied, "invitation_not_found", "invitation_not_found"],
      ),
    input: newInvitation,
  },
  "invitations.resend": {
    // These tests have no mail server.
    expected: () =>
      row(
        unknownCaller,
        [denied, denied],
        [denied, denied, "mail_not_resendable"],
        [denied, denied],
        [denied, denied, denied, "invitation_not_found", denied],
      ),
    input: newInvitation,
  },
  "invitations.view": { expected: () => everyone("ok"), input: () => ({ token: "qtiv_unknown" }) },
  "apiKeys.create": {
    expected: () => usersOnly("ok", { viewer: false, operator: false }),
    input: () => ({ name: "Till", scopes: ["payments:read"] }),
  },
  "apiKeys.create (for the owner's account)": {
    expected: () => homeAdminOnly("account_not_found"),
    input: ({ person }) => ({ name: "Till", scopes: ["payments:read"], account_id: person.accountId }),
  },
  "apiKeys.list": { expected: () => usersOnly("ok", { viewer: true, operator: false }), input: () => ({}) },
  "apiKeys.details": {
    expected: () => usersOnly("ok", { viewer: true, operator: false }),
    input: () => ({ api_key_ids: [keys.platform?.id ?? ""] }),
  },
  "apiKeys.leftBehind": { expected: () => usersOnly("ok", { viewer: true, operator: false }), input: () => ({}) },
  "apiKeys.rotate": { expected: () => homeAdminOnly("api_key_not_found"), input: newKey },
  "apiKeys.revoke": { expected: () => homeAdminOnly("api_key_not_found"), input: newKey },
  "customers.create": {
    expected: () => allButViewers("account_not_found"),
    input: ({ person }) => ({ account_id: person.accountId, name: "Grace" }),
  },
  "customers.list": { expected: () => ownResult, input: () => ({}) },
  "customers.get": {
    expected: () => tenantOnly("customer_not_found"),
    input: async (fixture) => ({ customer_id: await customerOf(fixture) }),
  },
  "customers.update": {
    expected: () => allButViewers("customer_not_found"),
    input: async (fixture) => ({ customer_id: await customerOf(fixture), name: "Ada" }),
  },
  "customers.activity": {
    expected: () => tenantOnly("customer_not_found"),
    input: async (fixture) => ({ customer_id: await customerOf(fixture) }),
  },
  "customers.erase": {
    expected: () => allButViewers("customer_not_found"),
    input: async (fixture) => ({ customer_id: await customerOf(fixture) }),
  },
  "customers.merge": {
    expected: () => allButViewers("customer_not_found"),
    input: async (fixture) => {
      const [customer_id, into_customer_id] = [await customerOf(fixture), await customerOf(fixture)];
      return { customer_id, into_customer_id };
    },
  },
  "subscriptions.list": { expected: () => ownResult, input: () => ({}) },
  "subscriptions.get": {
    expected: () => tenantOnly("subscription_not_found"),
    input: async (fixture) => ({ subscription_id: await subscribed(fixture) }),
  },
  "subscriptions.cycles": {
    expected: () => tenantOnly("subscription_not_found"),
    input: async (fixture) => ({ subscription_id: await subscribed(fixture) }),
  },
  "subscriptions.titles": {
    expected: () => ownResult,
    input: async (fixture) => ({ subscription_ids: [await subscribed(fixture)] }),
  },
  "subscriptions.requests": {
    expected: () => tenantOnly("subscription_not_found"),
    input: async (fixture) => ({ subscription_id: await subscribed(fixture) }),
  },
  "subscriptions.ofPayment": {
    expected: () => tenantOnly("payment_not_found"),
    input: ({ paymentId }) => ({ payment_id: paymentId }),
  },
  "subscriptions.update": {
    expected: () => allButViewers("subscription_not_found"),
    input: async (fixture) => ({ subscription_id: await subscribed(fixture), amount: 900 }),
  },
  "subscriptions.cancel": {
    expected: () => allButViewers("subscription_not_found"),
    input: async (fixture) => ({ subscription_id: await subscribed(fixture), at: "now" }),
  },
  "subscriptions.pause": {
    expected: () => allButViewers("subscription_not_found"),
    input: async (fixture) => ({ subscription_id: await subscribed(fixture) }),
  },
  "subscriptions.resume": {
    expected: () => allButViewers("subscription_not_found"),
    input: async (fixture) => {
      const subscription_id = await subscribed(fixture);
      await world.call(operations.subscriptions.pause, fixture.person.actor, { subscription_id });
      return { subscription_id };
    },
  },
  "subscriptions.cardLink": {
    expected: () => allButViewers("subscription_not_found"),
    input: async (fixture) => ({ subscription_id: await subscribed(fixture) }),
  },
  "subscriptions.cardPage": { expected: () => everyone("ok"), input: () => ({ token: "unknown" }) },
  "subscriptions.changeCard": {
    expected: () => everyone("subscription_not_found"),
    input: () => ({ token: "unknown", form_token: "none" }),
  },
  "subscriptions.leaveCard": { expected: () => everyone("ok"), input: () => ({ token: "unknown" }) },
  "payments.create": {
    expected: () => allButViewers("account_not_found"),
    input: ({ person }) => ({ account_id: person.accountId, type: "product", amount: 100, currency: "EUR" }),
  },
  "payments.update": {
    expected: () => allButViewers("payment_not_found"),
    input: ({ paymentId }) => ({ payment_id: paymentId, description: "Changed" }),
  },
  "payments.finalize": {
    expected: () => allButViewers("payment_not_found"),
    input: async ({ person }) => {
      const draft = {
        account_id: person.accountId,
        type: "product",
        amount: 100,
        currency: "EUR",
        draft: true,
      } as const;
      const { payment_id } = await world.call(operations.payments.create, person.actor, draft);
      return { payment_id };
    },
  },
  "payments.duplicate": {
    expected: () => allButViewers("payment_not_found"),
    input: ({ paymentId }) => ({ payment_id: paymentId }),
  },
  "payments.list": { expected: () => ownResult, input: () => ({}) },
  "payments.export": { expected: () => ownResult, input: () => ({}) },
  "payments.acts": {
    expected: () => tenantOnly("payment_not_found"),
    input: ({ paymentId }) => ({ payment_id: paymentId }),
  },
  "payments.dismissLinkRequest": {
    expected: () => adminsOnly("payment_not_found"),
    input: ({ paymentId }) => ({ payment_id: paymentId }),
  },
  "payments.overpaid": { expected: () => ownResult, input: () => ({}) },
  "payments.counts": { expected: () => ownResult, input: () => ({}) },
  "payments.get": {
    expected: () => tenantOnly("payment_not_found"),
    input: ({ paymentId }) => ({ payment_id: paymentId }),
  },
  "payments.issuedInvoice": {
    // No invoice.
    expected: () => tenantOnly("payment_not_found", { found: "payment_not_found" }),
    input: ({ paymentId }) => ({ payment_id: paymentId }),
  },
  "payments.issuedCreditNote": {
    // No invoice.
    expected: () => tenantOnly("payment_not_found", { found: "payment_not_found" }),
    input: ({ paymentId }) => ({ payment_id: paymentId, credit_note_id: world.id("crn") }),
  },
  "payments.status": {
    expected: () => tenantOnly("payment_not_found"),
    input: ({ paymentId }) => ({ payment_id: paymentId }),
  },
  "payments.cancel": {
    expected: () => allButViewers("payment_not_found"),
    input: ({ paymentId }) => ({ payment_id: paymentId }),
  },
  // Nothing of it was lost, or arrived late.
  "payments.reopen": {
    expected: () => allButViewers("payment_not_found", "nothing_lost"),
    input: ({ paymentId }) => ({ payment_id: paymentId }),
  },
  "payments.writeOff": {
    expected: () => allButViewers("payment_not_found", "nothing_lost"),
    input: ({ paymentId }) => ({ payment_id: paymentId }),
  },
  "payments.acceptLate": {
    expected: () => allButViewers("payment_not_found", "nothing_late"),
    input: ({ paymentId }) => ({ payment_id: paymentId }),
  },
  "payments.extend": {
    expected: () => allButViewers("payment_not_found"),
    input: ({ paymentId }) => ({
      payment_id: paymentId,
      expires_at: new Date(world.clock.now() + 60 * 86_400_000).toISOString(),
    }),
  },
  "payments.allowCards": {
    expected: () => allButViewers("payment_not_found"),
    input: ({ paymentId }) => ({ payment_id: paymentId }),
  },
  "payments.markPaid": {
    expected: () => allButViewers("payment_not_found"),
    input: ({ paymentId }) => ({ payment_id: paymentId, method: "cash", reason: "At the counter" }),
  },
  "payments.applyCredit": {
    // Its customer has none.
    expected: () => allButViewers("payment_not_found", "insufficient_credit"),
    input: ({ paymentId }) => ({ payment_id: paymentId }),
  },
  "payments.send": {
    expected: () => allButViewers("payment_not_found"),
    input: async (fixture) => ({ payment_id: (await mailed(fixture)).paymentId }),
  },
  "payments.remind": {
    expected: () => allButViewers("payment_not_found"),
    input: async (fixture) => ({ payment_id: (await mailed(fixture)).paymentId }),
  },
  "payments.create (and remind)": {
    expected: () => allButViewers("account_not_found"),
    input: ({ person }) => ({
      ...mailedRequest(),
      send: false,
      reminders: { offsets_days: [-1] },
      account_id: person.accountId,
    }),
  },
  "payments.send (to another address)": {
    expected: () =>
      row(
        unknownCaller,
        [denied, "payment_not_found"],
        [denied, "ok", "ok"],
        [denied, denied],
        ["payment_not_found", denied, "payment_not_found", "payment_not_found", "payment_not_found"],
      ),
    input: async (fixture) => ({ payment_id: (await mailed(fixture)).paymentId, to: newEmail() }),
  },
  "payments.create (and send)": {
    expected: () => allButViewers("account_not_found"),
    input: ({ person }) => ({ ...mailedRequest(), account_id: person.accountId }),
  },
  "mails.list": { expected: () => ownResult, input: () => ({}) },
  "mails.get": {
    expected: () => tenantOnly("mail_not_found"),
    input: async (fixture) => ({ mail_id: (await mailed(fixture)).mailId }),
  },
  "mails.get (to a user)": {
    expected: () =>
      row(
        unknownCaller,
        ["mail_not_found", "mail_not_found"],
        ["mail_not_found", "mail_not_found", "ok"],
        ["ok", denied],
        all("mail_not_found"),
      ),
    input: async () => ({ mail_id: await notice() }),
  },
  "mails.resend": {
    expected: () => allButViewers("mail_not_found", "mail_not_resendable"),
    input: async (fixture) => ({ mail_id: (await mailed(fixture)).mailId }),
  },
  "mails.resend (to a user)": {
    expected: () =>
      row(
        unknownCaller,
        ["mail_not_found", "mail_not_found"],
        [denied, "mail_not_found", "mail_not_resendable"],
        [denied, denied],
        ["mail_not_found", denied, "mail_not_found", "mail_not_found", "mail_not_found"],
      ),
    input: async () => ({ mail_id: await notice() }),
  },
  "mails.server": { expected: () => usersOnly("ok", { viewer: true, operator: false }), input: () => ({}) },
  "instance.state": { expected: () => usersOnly("ok", { viewer: false, operator: false }), input: () => ({}) },
  "mails.test": {
    expected: () => usersOnly("mail_server_missing", { viewer: false, operator: false }),
    input: () => ({}),
  },
  "payments.capture": {
    expected: () => allButViewers("payment_not_found", "payment_not_capturable"),
    input: ({ paymentId }) => ({ payment_id: paymentId }),
  },
  "payments.refund": {
    expected: () => allButViewers("payment_not_found", "refund_exceeds_captured"),
    input: ({ paymentId }) => ({ payment_id: paymentId }),
  },
  "payments.refund (of a paid request)": {
    expected: () => allButViewers("payment_not_found"),
    input: async ({ person, paymentId }) => {
      await world.call(operations.transactions.create, person.actor, {
        ...{ type: "payment", amount: 500, currency: "EUR" },
        payment_id: paymentId,
      });
      return { payment_id: paymentId };
    },
  },
  "payments.refundSurplus": {
    expected: () => allButViewers("payment_not_found", "refund_exceeds_captured"),
    input: ({ paymentId, transactionId }) => ({ payment_id: paymentId, transaction_id: transactionId, amount: 100 }),
  },
  "payments.recordView": {
    expected: () => everyone("payment_not_found"),
    input: () => ({ token: "unknown", form_token: "unknown" }),
  },
  "payments.preview": {
    expected: () => allButViewers("account_not_found"),
    input: ({ person }) => ({ account_id: person.accountId, type: "product", amount: 100, currency: "EUR" }),
  },
  "payments.previewInvoice": {
    expected: () => allButViewers("account_not_found"),
    input: ({ person }) => ({ account_id: person.accountId, type: "invoice", amount: 100, currency: "EUR" }),
  },
  "payments.requestLink": {
    expected: () => everyone("payment_not_found"),
    input: () => ({ token: "unknown", form_token: "unknown" }),
  },
  "payments.useLink": {
    expected: () => everyone("payment_not_found"),
    input: () => ({ token: "unknown", form_token: "", quantities: [], amount: null, price: null }),
  },
  "payments.leaveChallenge": { expected: () => everyone("payment_not_found"), input: () => ({ token: "unknown" }) },
  "sandbox.challenge": {
    expected: () => everyone("payment_not_found"),
    input: () => ({ reference: `sandbox_charge_${"0".repeat(24)}` }),
  },
  "sandbox.answerChallenge": {
    expected: () => everyone("payment_not_found"),
    input: () => ({ reference: `sandbox_charge_${"0".repeat(24)}`, answer: "complete" }),
  },
  "jobs.dead": { expected: () => usersOnly("ok", { viewer: true, operator: true }), input: () => ({}) },
  "jobs.retryAll": { expected: () => usersOnly("ok", { viewer: false, operator: true }), input: () => ({}) },
  "jobs.retry": {
    expected: () => usersOnly("job_not_found", { viewer: false, operator: true }),
    input: () => ({ job_id: world.id("job") }),
  },
  "payments.view": { expected: () => everyone("payment_not_found"), input: () => ({ token: "unknown" }) },
  "payments.invoice": { expected: () => everyone("payment_not_found"), input: () => ({ token: "unknown" }) },
  "payments.creditNote": {
    expected: () => everyone("payment_not_found"),
    input: () => ({ token: "unknown", credit_note_id: "unknown" }),
  },
  "payments.receipt": { expected: () => everyone("payment_not_found"), input: () => ({ token: "unknown" }) },
  "payments.pay": {
    expected: () => everyone("payment_not_found"),
    input: () => ({ token: "unknown", form_token: "none" }),
  },
  "transactions.create (payment)": {
    expected: () => allButViewers("account_not_found"),
    input: ({ person }) => ({ ...payment, account_id: person.accountId }),
  },
  "transactions.create (refund)": {
    expected: () => allButViewers("transaction_not_found"),
    input: ({ person, transactionId }) => ({
      type: "refund",
      account_id: person.accountId,
      parent_transaction_id: transactionId,
      amount: 1,
    }),
  },
  "transactions.create (refund from a closed account)": {
    expected: () =>
      row(
        unknownCaller,
        ["account_closed", "transaction_not_found"],
        [denied, "account_closed", "ok"],
        ["account_closed", denied],
        ["transaction_not_found", denied, "transaction_not_found", "transaction_not_found", "transaction_not_found"],
      ),
    input: async ({ person, transactionId }) => {
      await world.call(operations.accounts.close, home.admin.actor, { account_id: person.accountId });
      return { ...{ type: "refund", parent_transaction_id: transactionId, amount: 1 }, account_id: person.accountId };
    },
  },
  "transactions.create (transfer)": {
    expected: () => allButViewers("account_not_found"),
    input: ({ person }) => ({
      ...{ type: "transfer", amount: 1, currency: "EUR", account_id: person.accountId },
      destination_account_id: home.admin.accountId,
    }),
  },
  "transactions.create (credit)": {
    expected: () =>
      row(
        unknownCaller,
        [denied, denied],
        [denied, "ok", "ok"],
        ["ok", denied],
        [denied, denied, "account_not_found", "account_not_found", "account_not_found"],
      ),
    input: ({ person }) => ({ type: "credit", amount: 1, currency: "EUR", account_id: person.accountId }),
  },
  "transactions.create (adjustment)": {
    expected: () =>
      row(
        unknownCaller,
        [denied, denied],
        [denied, "ok", "ok"],
        ["ok", denied],
        [denied, denied, "account_not_found", "account_not_found", "account_not_found"],
      ),
    input: ({ person }) => ({
      ...{ type: "adjustment", direction: "in", reason: "correction" },
      ...{ amount: 1, currency: "EUR", account_id: person.accountId },
    }),
  },
  "ledger.entries": { expected: () => ownResult, input: () => ({}) },
  "ledger.exportEntries": { expected: () => ownResult, input: () => ({}) },
  "transactions.list": { expected: () => ownResult, input: () => ({}) },
  "transactions.export": { expected: () => ownResult, input: () => ({}) },
  "transactions.unexpectedDisputes": { expected: () => ownResult, input: () => ({}) },
  "transactions.dismissDispute": {
    expected: () => adminsOnly("transaction_not_found"),
    input: ({ transactionId }) => ({ transaction_id: transactionId, reported_at: "2026-01-01T00:00:00Z" }),
  },
  "transactions.postings": {
    expected: () => tenantOnly("transaction_not_found"),
    input: ({ transactionId }) => ({ transaction_id: transactionId }),
  },
  "transactions.get": {
    expected: () => tenantOnly("transaction_not_found"),
    input: ({ transactionId }) => ({ transaction_id: transactionId }),
  },
  ...Object.fromEntries(
    (["paymentId", "transactionId", "accountId"] as const).map((kind): [string, Cell] => [
      `events.timeline (${kind})`,
      {
        expected: () =>
          row(
            unknownCaller,
            ["ok", "object_not_found"],
            ["ok", "ok", "ok"],
            [denied, denied],
            ["object_not_found", "object_not_found", "object_not_found", "object_not_found", denied],
          ),
        input: ({ person, paymentId, transactionId }) => ({
          object_id: { paymentId, transactionId, accountId: person.accountId }[kind],
        }),
      },
    ]),
  ),
  "organizations.setup": {
    expected: () => everyone("setup_completed"),
    input: () => ({
      token: "none",
      organization_name: "X",
      email: "x@example.com",
      password: "a long enough passphrase",
    }),
  },
  "documents.openapi": { expected: () => everyone("ok"), input: () => ({}) },
};

let world: World;
let home: TestOrganization;
let foreign: TestOrganization;
/** For the cells whose input does not name the objects of a fixture. */
let unharmed: Fixture;
let staff: Record<"viewer" | "operator" | "foreign viewer" | "foreign operator", TestUser>;
const keys: Partial<Record<Caller, ApiKey>> = {};
const table = operations as Record<string, Record<string, Operation>>;

const operationOf = (cell: string): Operation => {
  const [domain = "", verb = ""] = cell.replace(/ \(.*/, "").split(".");
  const found = table[domain]?.[verb];
  if (!found) throw new Error(`No operation ${cell}`);
  return found;
};

beforeAll(async () => {
  world = await openWorld();
  home = await world.organization("Home");
  foreign = await world.organization("Foreign");
  staff = {
    viewer: await world.user(home.id, "viewer"),
    operator: await world.user(home.id, "operator"),
    "foreign viewer": await world.user(foreign.id, "viewer"),
    "foreign operator": await world.user(foreign.id, "operator"),
  };
  unharmed = await newFixture();
  keys.platform = await apiKey(world, home.id, [...scopes]);
  keys["foreign platform"] = await apiKey(world, foreign.id, [...scopes]);
});
afterAll(() => world.close());

/**
 * A member with an account, a session, a payment request and a payment. New after each accepted call, because many
 * operations end the object that they act on. A refused call leaves it as it was for the next caller.
 */
async function newFixture(): Promise<Fixture> {
  const person = await world.user(home.id);
  const request = { type: "product", amount: 500, currency: "EUR", account_id: person.accountId } as const;
  const requested = await world.call(operations.payments.create, person.actor, request);
  const paid = await world.call(operations.transactions.create, person.actor, {
    ...{ type: "payment", amount: 500, currency: "EUR" },
    account_id: person.accountId,
  });
  return { person, paymentId: requested.payment_id, transactionId: paid.transaction_id };
}

/** A key with every scope but the one that the operation needs; by scope, because there are few. */
const lacking = new Map<string | null, ApiKey>();

async function keyOf(caller: Caller, { access }: Operation): Promise<ApiKey | undefined> {
  if (caller !== "platform without the scope") return keys[caller];
  const others = scopes.filter((scope) => scope !== access.apiKey);
  const key = lacking.get(access.apiKey) ?? (await apiKey(world, home.id, others));
  lacking.set(access.apiKey, key);
  return key;
}

const mailedRequest = () => ({
  ...{ type: "product" as const, amount: 500, currency: "EUR" },
  ...{ customer: { email: newEmail() }, send: true },
});

/** A customer of the fixture's person. */
async function customerOf({ person }: Fixture): Promise<string> {
  const input = { account_id: person.accountId, name: "Grace" };
  return (await world.call(operations.customers.create, person.actor, input)).customer_id;
}

/** A subscription to the account of the fixture's person. */
const subscribed = async ({ person }: Fixture): Promise<string> =>
  (await subscribe(world, person.actor, { account_id: person.accountId })).id;

/** A payment request of the fixture's person, and the mail with which it was sent. */
async function mailed({ person }: Fixture): Promise<{ paymentId: string; mailId: string }> {
  const input = { ...mailedRequest(), account_id: person.accountId };
  const { payment_id } = await world.call(operations.payments.create, person.actor, input);
  const { data } = await world.call(operations.mails.list, person.actor, { payment_id });
  return { paymentId: payment_id, mailId: data[0]?.mail_id ?? "" };
}

/** A mail to a user of the home organization. */
async function notice(): Promise<string> {
  const { id } = await mailNotice(world, home.id);
  return id;
}

/** Opens a session of the person, with real tokens. */
async function openSession(person: TestUser): Promise<string> {
  await givePassword(world, person);
  return (await signInAs(world, person)).session_id;
}

async function outcomeOf(operation: Operation, caller: Caller, fixture: Fixture, input: unknown): Promise<Outcome> {
  const key = await keyOf(caller, operation);
  // Each from an address of its own, because an address may have only a few downloads.
  const ip = `203.0.113.${callers.indexOf(caller)}`;
  const request = callRequest(world.runtime, { ip, bearer: key ? `Bearer ${key.token}` : null });
  const actors: Partial<Record<Caller, Actor>> = {
    owner: fixture.person.actor,
    "other member": home.other.actor,
    viewer: staff.viewer.actor,
    operator: staff.operator.actor,
    admin: home.admin.actor,
    "foreign member": foreign.member.actor,
    "foreign viewer": staff["foreign viewer"].actor,
    "foreign operator": staff["foreign operator"].actor,
    "foreign admin": foreign.admin.actor,
  };
  const actor = actors[caller];
  return actor
    ? outcomeAs(operation, actor, input, ip)
    : outcome(() => perform(operation, input, request, world.runtime));
}

const outcomeAs = (operation: Operation, actor: Actor, input: unknown, ip?: string): Promise<Outcome> =>
  outcome(() => performAs(operation, input, actor, callRequest(world.runtime, ip ? { ip } : {}), world.runtime));

async function outcome(work: () => Promise<unknown>): Promise<Outcome> {
  try {
    const answer = await work();
    // Only so many downloads may be open at once.
    if (answer instanceof Download) answer.close();
    return "ok";
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
}

test("every operation has a row", () => {
  const all = Object.entries(table).flatMap(([domain, verbs]) => Object.keys(verbs).map((verb) => `${domain}.${verb}`));
  expect([...new Set(Object.keys(cells).map((cell) => cell.replace(/ \(.*/, "")))].sort()).toEqual(all.sort());
});

/** Which operations an API key with each scope may call. */
const operationsOf: Record<string, string[]> = {
  "sessions:read": ["sessions.list"],
  "sessions:write": ["sessions.invalidate"],
  "accounts:read": ["accounts.get", "accounts.list", "accounts.names"],
  "accounts:write": ["accounts.create", "accounts.update", "accounts.setLogo", "accounts.close", "accounts.closing"],
  "users:read": ["users.list", "invitations.list"],
  "users:write": ["users.create", "users.remove", "invitations.create", "invitations.revoke"],
  "customers:read": ["customers.list", "customers.get", "customers.activity"],
  "customers:write": ["customers.create", "customers.update"],
  "customers:erase": ["customers.merge", "customers.erase"],
  "subscriptions:read": [
    "subscriptions.list",
    "subscriptions.get",
    "subscriptions.cycles",
    "subscriptions.titles",
    "subscriptions.requests",
    "subscriptions.ofPayment",
  ],
  "subscriptions:write": [
    ...["subscriptions.update", "subscriptions.cancel", "subscriptions.pause", "subscriptions.resume"],
    "subscriptions.cardLink",
  ],
  "payments:read": [
    ...["payments.list", "payments.counts", "payments.get", "payments.status", "payments.overpaid", "payments.acts"],
    "payments.export",
    ...["payments.issuedInvoice", "payments.issuedCreditNote"],
  ],
  "payments:write": [
    ...[
      "payments.create",
      "payments.preview",
      "payments.previewInvoice",
      "payments.update",
      "payments.finalize",
      "payments.duplicate",
    ],
    ...["payments.cancel", "payments.extend", "payments.allowCards", "payments.capture"],
    ...["payments.reopen", "payments.writeOff", "payments.acceptLate"],
  ],
  "ledger:read": ["ledger.entries", "ledger.exportEntries"],
  "transactions:read": [
    "transactions.get",
    "transactions.list",
    "transactions.export",
    "transactions.postings",
    "transactions.unexpectedDisputes",
  ],
  "transactions:write": [
    "transactions.create",
    "payments.markPaid",
    "payments.applyCredit",
    "payments.refund",
    "payments.refundSurplus",
  ],
  "mails:read": ["mails.list", "mails.get"],
  "mails:write": ["payments.send", "payments.remind", "mails.resend"],
  "sandbox:write": ["sandbox.clock", "sandbox.moveClock", "sandbox.events", "sandbox.simulate", "sandbox.storm"],
  "audit:read": ["auditEntries.list", "auditEntries.export", "auditEntries.state", "auditEntries.targets"],
};

test("each scope of an API key allows its operations and no others", () => {
  const needed = Object.values(table)
    .flatMap((verbs) => Object.values(verbs))
    .filter(({ access }) => access.apiKey !== null && access.apiKey !== "any")
    .map(({ id, access }) => `${access.apiKey} ${id}`);
  const stated = Object.entries(operationsOf).flatMap(([scope, ids]) => ids.map((id) => `${scope} ${id}`));
  expect(needed.sort()).toEqual(stated.sort());
});

type Prepared = { fixture: Fixture; input: unknown };

async function prepare(cell: Cell): Promise<Prepared> {
  const fixture = cell.input.length === 0 ? unharmed : await newFixture();
  return { fixture, input: await cell.input(fixture) };
}

describe.each(Object.entries(cells))("%s", (name, cell) => {
  // Each of the many callers may verify a password, which is slow on a busy machine.
  test("has the expected outcome for each caller", async () => {
    const seen: Partial<Record<Caller, Outcome>> = {};
    let ready: Prepared | null = null;
    for (const caller of callers) {
      ready ??= await prepare(cell);
      const outcome: Outcome = await outcomeOf(operationOf(name), caller, ready.fixture, ready.input);
      if (outcome === "ok") ready = null;
      seen[caller] = outcome;
    }
    expect(seen).toEqual(cell.expected());
  }, 60_000);
});

describe("an API key that is bound to one account", () => {
  /** The outcomes for a key bound to the object's account, and for one bound to another account of the organization. */
  const cellsOfBound: Record<string, [same: Outcome, other: Outcome]> = {
    "accounts.get": ["ok", "account_not_found"],
    "accounts.update": ["ok", "account_not_found"],
    "accounts.update (the owner)": [denied, denied],
    "accounts.setLogo": ["ok", "account_not_found"],
    "accounts.close": ["ok", "account_not_found"],
    "accounts.list": ["ok", "ok"],
    "accounts.create": [denied, denied],
    "accounts.create (for the owner)": [denied, denied],
    "users.list": [denied, denied],
    "auditEntries.list": [denied, denied],
    "sandbox.clock": [denied, denied],
    "sandbox.moveClock": [denied, denied],
    "sandbox.storm": [denied, denied],
    "sandbox.events": [denied, denied],
    "sandbox.simulate": [denied, denied],
    "users.create": [denied, denied],
    "users.create (admin)": [denied, denied],
    "users.remove": [denied, denied],
    "sessions.list": [denied, denied],
    "sessions.list (of the owner)": [denied, denied],
    "sessions.invalidate": [denied, denied],
    "me.get": ["ok", "ok"],
    "subscriptions.list": ["ok", "ok"],
    "subscriptions.get": ["ok", "subscription_not_found"],
    "subscriptions.cycles": ["ok", "subscription_not_found"],
    "subscriptions.titles": ["ok", "ok"],
    "subscriptions.requests": ["ok", "subscription_not_found"],
    "subscriptions.ofPayment": ["ok", "payment_not_found"],
    "subscriptions.update": ["ok", "subscription_not_found"],
    "subscriptions.cancel": ["ok", "subscription_not_found"],
    "subscriptions.pause": ["ok", "subscription_not_found"],
    "subscriptions.resume": ["ok", "subscription_not_found"],
    "customers.create": ["ok", "account_not_found"],
    "customers.list": ["ok", "ok"],
    "customers.get": ["ok", "customer_not_found"],
    "customers.update": ["ok", "customer_not_found"],
    "customers.merge": ["ok", "customer_not_found"],
    "customers.erase": ["ok", "customer_not_found"],
    "customers.activity": ["ok", "customer_not_found"],
    "payments.create": ["ok", "account_not_found"],
    "payments.update": ["ok", "payment_not_found"],
    "payments.finalize": ["ok", "payment_not_found"],
    "payments.duplicate": ["ok", "payment_not_found"],
    "payments.get": ["ok", "payment_not_found"],
    "payments.cancel": ["ok", "payment_not_found"],
    "payments.extend": ["ok", "payment_not_found"],
    "payments.reopen": ["nothing_lost", "payment_not_found"],
    "payments.writeOff": ["nothing_lost", "payment_not_found"],
    "payments.acceptLate": ["nothing_late", "payment_not_found"],
    "payments.allowCards": ["ok", "payment_not_found"],
    "payments.markPaid": ["ok", "payment_not_found"],
    "payments.applyCredit": ["insufficient_credit", "payment_not_found"],
    "payments.send": ["ok", "payment_not_found"],
    "payments.remind": ["ok", "payment_not_found"],
    "mails.list": ["ok", "ok"],
    "mails.get": ["ok", "mail_not_found"],
    "mails.get (to a user)": ["mail_not_found", "mail_not_found"],
    "payments.refund (of a paid request)": ["ok", "payment_not_found"],
    "transactions.get": ["ok", "transaction_not_found"],
    "transactions.create (payment)": ["ok", "account_not_found"],
    "transactions.create (refund)": ["ok", "transaction_not_found"],
    "transactions.create (credit)": ["ok", "account_not_found"],
    "transactions.create (adjustment)": ["ok", "account_not_found"],
    "transactions.create (transfer)": ["ok", "account_not_found"],
  };

  test.each(Object.entries(cellsOfBound))("%s", async (name, expected) => {
    const seen: Outcome[] = [];
    for (const isSame of [true, false]) {
      const fixture = await newFixture();
      const accountId = isSame ? fixture.person.accountId : home.other.accountId;
      const key = await apiKey(world, home.id, [...boundScopes], { accountId });
      seen.push(await outcomeAs(operationOf(name), key.actor, (await cells[name]?.input(fixture)) ?? {}));
    }
    expect(seen).toEqual(expected);
  });
});

test("in live mode members record payments only if the organization allows it; admins and API keys always", async () => {
  const organization = await world.organization("Live");
  const key = await apiKey(world, organization.id, [...scopes]);
  const { member, admin } = organization;
  const record = (actor: Actor) =>
    outcomeAs(operations.transactions.create, actor, { ...payment, account_id: member.accountId });
  const change = (settings: { mode?: "live"; membersRecordPayments?: boolean }) =>
    world.runtime.db.write((tx) =>
      tx.update(organizations).set(settings).where(eq(organizations.id, organization.id)).then(),
    );
  expect(await Promise.all([member.actor, admin.actor, key.actor].map(record))).toEqual(["ok", "ok", "ok"]);
  await change({ mode: "live" });
  expect(await Promise.all([member.actor, admin.actor, key.actor].map(record))).toEqual([denied, "ok", "ok"]);
  await change({ membersRecordPayments: true });
  expect(await record(member.actor)).toBe("ok");
});

describe("a list shows nothing beyond the caller's scope", () => {
  const ids = (page: unknown) =>
    (page as { data: Record<string, string>[] }).data.flatMap((item) => Object.values(item));

  test.each(["transactions.list", "payments.list", "sessions.list", "mails.list"])("%s", async (name) => {
    const fixture = await newFixture();
    const mine = [fixture.transactionId, fixture.paymentId, await openSession(fixture.person)];
    mine.push((await mailed(fixture)).mailId);
    const shown = async (actor: Actor) => {
      const page = await performAs(operationOf(name), { limit: 100 }, actor, callRequest(world.runtime), world.runtime);
      return ids(page).some((id) => mine.includes(id));
    };
    expect(await shown(fixture.person.actor)).toBe(true);
    expect(await shown(home.other.actor)).toBe(false);
    expect(await shown(foreign.admin.actor)).toBe(false);
    expect(await shown(foreign.member.actor)).toBe(false);
  });
});
