// The API's records, field by field: every response must carry exactly these fields.
import { expect } from "playwright/test";

const tokenPair = ["access_token", "refresh_token", "expires_at", "refresh_token_expires_at", "session_id"];

const account = [
  ...["account_id", "organization_id", "account_type", "account_name", "email", "preferences", "status"],
  ...["owner_user_id", "balances", "metadata", "created_at", "updated_at", "closed_at"],
];

const user = [
  ...["user_id", "organization_id", "account_id", "email", "name", "role", "status", "mfa_enabled"],
  ...["locale", "timezone", "created_at", "last_login_at", "email_verified_at"],
];

const lineTerms = ["tax_category", "tax_exemption_reason", "unit", "adjustable_quantity"];

const paymentAmounts = ["amount_paid", "amount_due", "amount_authorized", "amount_capturable", "amount_refunded"];

const payment = [
  ...["payment_id", "account_id", "type", "status", "amount", "currency", "description", "reference", "customer"],
  ...["line_items", "capture_method", "capture_before", "expires_at", "due_at", "subscription", "allow_partial"],
  ...[
    "minimum_amount",
    "success_url",
    "cancel_url",
    "locale",
    "metadata",
    "payment_url",
    "receipt_url",
    "pdf_url",
    "pdf_problem",
  ],
  ...["invoice", "invoice_number", "credit_notes"],
  ...paymentAmounts,
  ...[
    "amount_released",
    "amount_disputed",
    ...["dispute_status", "amount_lost", "amount_reopened", "amount_written_off", "write_off_reason", "paid_late_at"],
    "paused",
    "amount_overpaid",
    "amount_credited",
    "last_error",
    "livemode",
    "transaction_ids",
    "reminders",
    "installments",
  ],
  ...["usage_limit", "uses_count", "uses_reserved", "custom_amount", "parent_payment_id", "subscription_id"],
  ...["created_at", "updated_at", "paid_at", "canceled_at", "cancellation_reason", "viewed_at"],
];

const paymentStatus = [
  ...["payment_id", "status", "amount", "currency", ...paymentAmounts, "dispute_status", "last_error"],
  ...["next_action", "transaction_ids", "expires_at", "updated_at"],
];

const transaction = [
  ...["transaction_id", "account_id", "type", "status", "direction", "amount", "currency", "fee_amount", "net_amount"],
  ...["amount_captured", "amount_refunded", "amount_disputed", "amount_credited"],
  ...["amount_credit_spent", "customer_id", "payment_id", "parent_transaction_id"],
  ...["destination_account_id", "payment_method", "provider", "provider_reference", "failure", "reason", "reference"],
  ...["description", "customer", "metadata", "effective_at", "livemode", "created_at", "updated_at", "settled_at"],
];

const subscription = [
  ...["subscription_id", "account_id", "customer_id", "status", "amount", "currency", "interval", "interval_count"],
  ...["cycles", "cycles_done", "trial_ends_at", "current_period_start", "current_period_end", "next_charge_at"],
  ...["cancel_at_period_end", "resume_at", "pause_reason", "canceled_at", "ended_at", "end_reason", "payment_method"],
  ...["first_payment_id", "latest_payment_id", "description", "line_items", "metadata", "livemode", "created_at"],
  "updated_at",
];

const apiKey = [
  ...["api_key_id", "name", "prefix", "last4", "scopes", "account_id", "ip_allow", "expires_at", "last_used_at"],
  ...["created_by", "created_at", "revoked_at", "secret"],
];

const invitation = [
  ...["invitation_id", "email", "name", "role", "status", "url", "invited_by"],
  ...["created_at", "expires_at", "accepted_at"],
];

/** The fields of each record. */
export const recordFields = {
  me: [
    ...["type", "id", "name", "organization_id", "livemode", "role", "scopes", "account_id", "account_ids"],
    ...["session_id", "expires_at"],
  ],
  tokenPair: tokenPair,
  /** Without a new refresh token there is no new expiry to return. */
  refreshedInPlace: tokenPair.filter((name) => name !== "refresh_token_expires_at"),
  invalidation: ["success", "invalidated_session_id", "revoked_tokens", "revoked_at"],
  account: account,
  closedAccount: [...account, "revoked_tokens", "canceled_payments"],
  preferences: [
    "default_currency",
    "locale",
    "timezone",
    "statement_descriptor",
    "reminder_hour",
    "notifications",
    "branding",
    "invoice",
  ],
  branding: ["color", "logo_url"],
  balance: ["currency", "available", "pending", "held", "held_for_refunds", "held_for_disputes"],
  user: user,
  apiKey: apiKey,
  invitation: invitation,
  removedUser: ["user_id", "removed", "removed_at", "revoked_sessions", "revoked_tokens", "orphaned_account_ids"],
  payment: payment,
  creditNote: [
    ...["credit_note_id", "credit_note_number", "cause", "amount", "refund_id", "pdf_url", "pdf_problem"],
    ...["created_at", "voided_at"],
  ],
  lineItem: ["name", "quantity", "unit_amount", "tax_rate_bp", "discount_amount", ...lineTerms],
  customer: ["name", "email", "reference", "metadata"],
  paymentCustomer: ["name", "email", "reference", "metadata", "customer_id"],
  paymentStatus: paymentStatus,
  transaction: transaction,
  subscription: subscription,
  page: ["data", "has_more", "next_cursor", "total_count", "total_is_estimate"],
  error: ["error_code", "error_description"],
} as const;

/** Expects exactly these fields, in any order. */
export function expectRecord(value: unknown, fields: readonly string[]): void {
  expect(Object.keys(value as object).sort()).toEqual([...fields].sort());
}

/** An identifier: its prefix and 26 characters of lower-case Crockford base32. */
export const idOf = (prefix: string): RegExp => new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`);

/** An instant on the wire. */
export const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A well-formed identifier that no record has. */
export const absentId = (prefix: string): string => `${prefix}_${"0".repeat(26)}`;
