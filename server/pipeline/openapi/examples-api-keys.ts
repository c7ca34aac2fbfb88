// Examples of API keys and of the audit log.
import { at, ids, type OperationExamples, pageOf } from "./story";

const apiKey = {
  api_key_id: ids.apiKey,
  name: "Till at the bakery",
  prefix: "qtsk_4fKd",
  last4: "a1b2",
  scopes: ["payments:read", "payments:write"],
  account_id: ids.account,
  ip_allow: ["203.0.113.0/24"],
  expires_at: "2027-11-20T00:00:00.000Z",
  last_used_at: null,
  created_by: ids.user,
  created_at: at.request,
  revoked_at: null,
  secret: null,
};

const secret = "qtsk_4fKdV8bXqR2mZ7tJwY3nLcHsU9pGaE1oBxQ6iD5kTrN0eSa1b2";

export const apiKeyExamples: Readonly<Record<string, OperationExamples>> = {
  "apiKeys.create": {
    requests: {
      bound: {
        ...{ name: apiKey.name, scopes: apiKey.scopes, account_id: ids.account },
        ...{ ip_allow: apiKey.ip_allow, expires_at: apiKey.expires_at },
      },
      organization: { name: "Accounting export", scopes: ["transactions:read"] },
    },
    response: { ...apiKey, secret },
  },
  "me.get": {
    response: {
      ...{ type: "api_key", id: ids.apiKey, name: apiKey.name, organization_id: ids.organization, livemode: false },
      ...{ role: null, scopes: apiKey.scopes, account_id: ids.account, account_ids: [ids.account] },
      ...{ session_id: null, expires_at: apiKey.expires_at },
    },
  },
  "apiKeys.list": { response: pageOf({ ...apiKey, last_used_at: at.payment }) },
  "apiKeys.rotate": {
    requests: { overlap: { overlap_hours: 48 }, atOnce: { overlap_hours: 0 } },
    response: { ...apiKey, last_used_at: at.payment, secret },
  },
  "auditEntries.list": {
    response: pageOf({
      audit_entry_id: ids.auditEntry,
      actor: { type: "user", id: ids.user, name: "Ada Lovelace" },
      action: "accounts.update",
      target_id: ids.account,
      detail: { fields: ["email"], changes: { email: { before: "ada@example.com", after: "bakery@example.com" } } },
      ip: "203.0.113.7",
      user_agent: "bakery-till/1.4.0",
      request_id: "req_01kacz7q4v8n2j5s6t3w9x0y1r",
      created_at: at.request,
    }),
  },
  "apiKeys.revoke": { response: { ...apiKey, last_used_at: at.payment, revoked_at: at.refund } },
};
