// Examples of sessions, accounts and users.
import { at, ids, type OperationExamples, pageOf } from "./story";

const tokenPair = {
  access_token: "qtat_3mTq9XbE7vZkR2sJwY5dLcHnU8pGfA1oKxQ4iB6tVrN0eS1a2",
  refresh_token: "qtrt_9hBvW3yPzK6nDxT1cQmR8sLfJ5uEgA2oViY7kX4bNtZ0rH3b4",
  expires_at: "2026-11-20T14:20:00.000Z",
  refresh_token_expires_at: "2026-12-20T14:05:00.000Z",
  session_id: ids.session,
};

const session = {
  session_id: ids.session,
  user_id: ids.user,
  kind: "api",
  status: "active",
  is_current: true,
  device_id: "till-2",
  device_anomalies: 0,
  client_version: "1.4.0",
  ip: "203.0.113.7",
  user_agent: "bakery-till/1.4.0",
  created_at: at.request,
  last_seen_at: at.payment,
  expires_at: "2027-02-18T14:05:00.000Z",
  ended_at: null,
  end_reason: null,
  end_reason_text: null,
  revoked_tokens: null,
};

const invoice = {
  ...{ legal_name: "Ada's Bakery Ltd", tax_id: "ATU12345678", number_prefix: "INV-", footer: null },
  address: { line1: "Graben 1", line2: null, postal_code: "1010", city: "Vienna", region: null, country: "AT" },
};

const account = {
  account_id: ids.account,
  organization_id: ids.organization,
  account_type: "business",
  account_name: "Ada's bakery",
  email: "bakery@example.com",
  preferences: {
    default_currency: "EUR",
    locale: "de-AT",
    timezone: "Europe/Vienna",
    statement_descriptor: "ADAS BAKERY",
    reminder_hour: null,
    notifications: { payment_receipt: true },
    branding: { color: "#0b7285", logo_url: null },
    invoice: { ...invoice, prefix_conflict: null },
  },
  status: "open",
  owner_user_id: ids.user,
  balances: [{ currency: "EUR", available: 1250, pending: 0, held: 0, held_for_refunds: 0, held_for_disputes: 0 }],
  metadata: { shop: "1" },
  created_at: at.signUp,
  updated_at: at.signUp,
  closed_at: null,
};

const newAccount = {
  account_type: account.account_type,
  account_name: account.account_name,
  email: account.email,
  preferences: { ...account.preferences, branding: { color: "#0b7285" }, invoice },
};

const user = {
  user_id: ids.user,
  organization_id: ids.organization,
  account_id: ids.account,
  email: "ada@example.com",
  email_verified_at: at.signUp,
  name: "Ada Lovelace",
  role: "member",
  status: "active",
  locale: "en-GB",
  timezone: "Europe/London",
  mfa_enabled: false,
  created_at: at.signUp,
  last_login_at: at.request,
};

const password = "correct horse battery staple";

export const accountExamples: Readonly<Record<string, OperationExamples>> = {
  "sessions.login": {
    requests: { login: { email: user.email, password, device_id: "till-2", client_version: "1.4.0" } },
    response: tokenPair,
  },
  "sessions.refresh": {
    requests: {
      rotate: { device_id: "till-2", rotate_refresh_token: true, client_version: "1.4.0" },
      keep: { rotate_refresh_token: false },
    },
    response: tokenPair,
  },
  "sessions.invalidate": {
    requests: { own: { reason: "user_logout" }, named: { session_id: ids.session, reason: "device_lost" } },
    response: { success: true, invalidated_session_id: ids.session, revoked_tokens: 2, revoked_at: at.payment },
  },
  "sessions.list": { response: pageOf(session) },
  "accounts.create": { requests: { business: { ...newAccount, metadata: account.metadata } }, response: account },
  "accounts.update": {
    requests: {
      rename: { account_id: ids.account, account_name: account.account_name, metadata: { old: null } },
      owner: { account_id: ids.account, owner_user_id: ids.user },
    },
    response: account,
  },
  "accounts.close": {
    requests: { close: { account_id: ids.account, reason: "The bakery has moved." } },
    response: { ...account, status: "closed", closed_at: at.refund, revoked_tokens: 2, canceled_payments: 1 },
  },
  "accounts.get": { response: account },
  "accounts.list": { response: pageOf(account) },
  "users.create": {
    requests: {
      signUp: { email: user.email, password, name: user.name, account: newAccount },
      admin: { email: user.email, password, name: user.name, role: "admin" },
      invitation: { invite_token: "qtiv_4fKdV8bXqR2mZ7tJwY3nLcHsU9pGaE1oBxQ6iD5kTrN0eS1a2", password },
    },
    response: { ...user, email_verified_at: null, locale: null, timezone: null, last_login_at: null },
  },
  "users.list": { response: pageOf(user) },
  "users.update": {
    requests: {
      profile: { name: user.name, locale: user.locale, timezone: user.timezone },
      role: { role: "operator" },
    },
    response: { ...user, role: "operator" },
  },
  "users.remove": {
    requests: { remove: {}, give: { new_owner_user_id: ids.otherUser } },
    response: {
      user_id: ids.user,
      removed: true,
      removed_at: at.refund,
      revoked_sessions: 1,
      revoked_tokens: 2,
      orphaned_account_ids: [ids.account],
    },
  },
  "users.changePassword": {
    requests: { change: { current_password: password, new_password: "an even longer passphrase" } },
    response: { user_id: ids.user, revoked_sessions: 1, revoked_tokens: 2, changed_at: at.payment },
  },
};
