// The enumerations that CHECK constraints and wire schemas share.

export const accountTypes = ["individual", "business"] as const;
export const accountStatuses = ["open", "closed"] as const;
/** From the least to the most powerful. */
export const userRoles = ["member", "viewer", "operator", "admin"] as const;
export type UserRole = (typeof userRoles)[number];
export const userStatuses = ["active", "removed"] as const;
export const organizationModes = ["sandbox", "live"] as const;
export const sessionKinds = ["api", "cookie"] as const;
export const sessionStatuses = ["active", "ended"] as const;
/** Whom an organization requires to have a second factor. */
export const mfaRequirements = ["none", "admins", "everyone"] as const;
export type MfaRequirement = (typeof mfaRequirements)[number];
/** What a browser proves with a passkey: that it has a new one, or whose it is. */
export const challengePurposes = ["register", "sign_in"] as const;
export const tokenKinds = ["access", "refresh", "cookie"] as const;
export const paymentTypes = ["product", "subscription", "invoice"] as const;
export const captureMethods = ["automatic", "manual"] as const;
export const paymentStatuses = [
  "draft",
  "pending",
  "requires_action",
  "processing",
  "authorized",
  "partially_paid",
  "paid",
  "partially_refunded",
  "refunded",
  "disputed",
  "failed",
  "canceled",
  "expired",
] as const;
/** Statuses in which the customer still has to pay: a payment request can then expire, or be overdue. */
export const unpaidStatuses = ["pending", "partially_paid", "requires_action", "failed"] as const;
/** From the attempt to store a card to its end. One that a charge stored begins as `stored`. */
export const methodStatuses = ["processing", "requires_action", "stored", "failed"] as const;
export const subscriptionIntervals = ["day", "week", "month", "year"] as const;
export type SubscriptionInterval = (typeof subscriptionIntervals)[number];
export const subscriptionStatuses = [
  "incomplete",
  "trialing",
  "active",
  "past_due",
  "paused",
  "canceled",
  "ended",
] as const;
/** Why a subscription ended by itself. */
export const subscriptionEnds = ["incomplete", "payment_failed", "completed"] as const;
/** Why a subscription waits, if no caller has paused it. */
export const pauseReasons = ["dispute_lost", "database_restored"] as const;
/** What becomes of a subscription of which a dispute took a payment back: it waits, or goes on. */
export const afterLostDisputeRules = ["wait", "continue"] as const;
export type AfterLostDispute = (typeof afterLostDisputeRules)[number];
/** What becomes of periods that passed while the server did not run: only the newest is charged, or each one. */
export const catchUpRules = ["latest", "all"] as const;
export type CatchUpRule = (typeof catchUpRules)[number];
export const transactionTypes = ["payment", "credit", "refund", "transfer", "adjustment"] as const;
export const transactionStatuses = [
  "pending",
  "requires_action",
  "processing",
  "authorized",
  "succeeded",
  "partially_refunded",
  "refunded",
  "disputed",
  "charged_back",
  "failed",
  "canceled",
  "expired",
  "reversed",
] as const;
/** What a journal tells about. Each kind has an expectation of its own in the proof. */
export const journalSources = ["transaction"] as const;
/** What a posting counts towards: a part of an account's money, or what is owed to its customers. */
export const entryKinds = ["available", "held", "refund_pending", "pending", "customer_credit"] as const;
export type EntryKind = (typeof entryKinds)[number];
/**
 * Transactions settle within this time of their creation, in milliseconds, except for those in an index of their own. A
 * hold lasts seven days.
 */
export const settlesWithinMs = 8 * 24 * 60 * 60 * 1000;
/** What became of a dispute, in the order in which it may change: a provider may still take back what was won. */
export const disputeStatuses = ["none", "open", "won", "lost"] as const;
export type DisputeStatus = (typeof disputeStatuses)[number];
/** A report of a provider about a dispute that cannot be booked. A provider may report any amount. */
export interface UnexpectedDispute {
  /** The provider's reference of the dispute; null if it gave none. */
  reference: string | null;
  status: Exclude<DisputeStatus, "none">;
  /** Minor units. */
  amount: number;
  currency: string;
}
/** The lists of the dashboard that have filters. */
export const filteredLists = [
  "payment_requests",
  "invoices",
  "subscriptions",
  "transactions",
  "customers",
  "accounts",
  "users",
  "invitations",
  "mails",
  "audit_log",
] as const;
export type FilteredList = (typeof filteredLists)[number];
/** All lists of the dashboard. */
export const listNames = [...filteredLists, "api_keys", "jobs"] as const;
export type ListName = (typeof listNames)[number];
/** What a user last chose to see of a list: columns by name, and rows per page. */
export interface ListDisplay {
  columns: readonly string[];
  rows: number;
}
export const jobStatuses = ["waiting", "dead"] as const;
export const mailKinds = [
  "payment_request",
  "payment_reminder",
  "payment_receipt",
  "refund_receipt",
  "renewal_failed",
  "trial_ending",
  "subscription_ending",
  "subscription_kept",
  "subscription_ended",
  "amount_changed",
  "card_link",
  "link_request",
  "reset_password",
  "security_notice",
  "invitation",
  "verify_email",
] as const;
/** `verify`: verifies the address of a new user; `change`: sets a new one; `undo`: sets the previous one again. */
export const emailLinkKinds = ["verify", "change", "undo"] as const;
export const mailStatuses = ["queued", "sent", "failed", "held"] as const;
/** Media types of logos. */
export const logoTypes = ["image/png", "image/jpeg"] as const;
export const directions = ["in", "out"] as const;
export const sides = ["debit", "credit"] as const;

/** A JSON object of short strings, as in the `metadata` field. */
export type Metadata = Record<string, string>;

export interface Customer {
  name: string | null;
  email: string | null;
  reference: string | null;
  metadata: Metadata;
}

/** What is left of a snapshot once its customer has been erased. */
export const erasedSnapshot: Customer = { name: null, email: null, reference: null, metadata: {} };

/** Whether a snapshot says nothing about anybody. */
export const isBlank = ({ name, email, reference, metadata }: Customer): boolean =>
  name === null && email === null && reference === null && Object.keys(metadata).length === 0;

/** A postal address; the country is an ISO 3166-1 alpha-2 code. */
export interface Address {
  line1: string | null;
  line2: string | null;
  postal_code: string | null;
  city: string | null;
  region: string | null;
  country: string | null;
}

export interface Preferences {
  default_currency: string | null;
  locale: string | null;
  timezone: string | null;
  statement_descriptor: string | null;
  /** The hour of its day at which planned reminders go, 0 to 23; null for the default. */
  reminder_hour: number | null;
  notifications: Record<string, boolean>;
  /** The logo's address is stored without APP_URL. */
  branding: { color: string | null; logo_url: string | null };
}

/** An amount in minor units of a currency, above which refunds and transfers need step-up. */
export interface StepUpAmount {
  currency: string;
  amount: number;
}

/** The amounts between which the payer of a link chooses, in minor units. */
export interface CustomAmount {
  minimum: number;
  maximum: number;
  suggested: number | null;
}

/** What a use of a link has of its places. */
export const paymentPlaces = ["held", "taken"] as const;

/** A part of a payment request with a due date of its own. */
export interface Installment {
  /** Minor units. */
  amount: number;
  /** Epoch ms. */
  due_at: number;
}

export interface SubscriptionTerms {
  interval: SubscriptionInterval;
  interval_count: number;
  trial_days: number | null;
  cycles: number | null;
}

/**
 * Why a planned reminder was not sent: its time was over before it could be sent, a later one was due too, the payment
 * request could not be paid (as `refusalToPay` says), nobody could be paid or mailed, or it may have been sent after the
 * backup that was restored.
 */
export const reminderSkips = [
  "missed",
  "superseded",
  "payment_already_paid",
  "payment_processing",
  "payment_expired",
  "payment_not_payable",
  "account_unavailable",
  "customer_without_email",
  "database_restored",
] as const;

/** What a draft of a payment request keeps until it is finalized. */
export interface Draft {
  /** Days of the reminders to plan; null for none. */
  offsets_days: readonly number[] | null;
}

/**
 * What a transaction did with a customer's credit. `spent`: a payment was made of it. `taken_back`: a refund of its
 * source returned it to the payer. `given_back`: a refund of a payment that was made of it returned it.
 */
export const creditUseKinds = ["spent", "taken_back", "given_back"] as const;

/** How money arrives outside the pay page. */
export const offlineMethods = ["cash", "bank_transfer", "check", "other"] as const;

export interface PaymentMethod {
  type: string;
  brand: string | null;
  last4: string | null;
  exp_month: number | null;
  exp_year: number | null;
}

export interface TransactionFailure {
  code: string;
  message: string;
}
