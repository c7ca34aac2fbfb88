// The catalog of error codes with their meanings, and the exception that carries them.
import { limits } from "@/server/kit/limits";

/** Failures before an operation runs, with their fixed statuses. */
export const protocolErrors = {
  invalid_json: 400,
  invalid_request: 400,
  unauthorized: 401,
  unknown_path: 404,
  method_not_allowed: 405,
  idempotency_key_in_use: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
} as const;

/** The meaning of each code. A code that is missing here does not compile. */
export const errorMeanings = {
  invalid_json: "The body is not valid JSON in UTF-8.",
  invalid_request: "A field is missing, unknown or has an invalid value; the description names each.",
  unauthorized: "No valid access token or API key was sent.",
  unknown_path: "No resource has this path.",
  method_not_allowed: "The path exists, but not with this method.",
  idempotency_key_in_use: "The first request with this Idempotency-Key is still running.",
  idempotency_key_reused: "This Idempotency-Key has been used with a different request.",
  payload_too_large: `The body is larger than ${limits.bodyBytes / 1024} KiB.`,
  unsupported_media_type: "The body's media type is not application/json.",
  rate_limited: "Too many requests; Retry-After says when to try again.",
  internal_error: "The service failed. A write may have taken effect; repeat it with the same Idempotency-Key.",
  unavailable: "The service cannot handle the request now; try again later.",

  insufficient_permissions: "The caller does not have permission to do this.",
  reauthentication_required: `This requires a sign-in within the last ${limits.freshSignInMinutes} minutes.`,
  invalid_cursor: "The cursor does not belong to this list with these filters.",
  clock_backwards: "A sandbox clock moves only forward.",
  clock_limit: `A sandbox clock moves at most ${limits.sandboxClock.years} years ahead of real time.`,
  storm_running: "A storm of this organization is under way. Try again once it has finished.",
  object_not_found: "No payment request, transaction or account has this identifier.",
  event_not_possible: "The sandbox cannot bring this event about for a payment request in this state.",
  selection_changed: "The number of matching records is not `expected_count`.",
  version_conflict: "The record has changed since the version named in If-Match.",

  invalid_credentials: "The e-mail address or the password is wrong.",
  mfa_required:
    "The user has a second factor: send a code from the authenticator app or a recovery code as `otp`. Without an authenticator app, sign in to the dashboard.",
  invalid_otp: "The one-time code is wrong, or it has been used.",
  mfa_enrollment_required:
    "The organization requires a second factor: the user must set one up in the dashboard first.",
  last_factor: "The organization requires a second factor, and this is the user's last one.",
  totp_setup_expired: "The setup of an authenticator app was not begun, or took too long; begin again.",
  passkeys_not_offered: "Passkeys do not work at the address of this instance.",
  passkey_refused: "The passkey is unknown, or its response is invalid or came too late.",
  passkey_not_found: "The user has no such passkey.",
  too_many_passkeys: "The user has the maximum number of passkeys; remove one first.",
  mfa_not_set_up: "The user has no second factor.",
  refresh_token_invalid: "The refresh token is missing, unknown, already used or not a refresh token.",
  refresh_token_expired: "The refresh token has expired.",
  session_not_found: "The session does not exist or has ended.",
  token_rotation_failed: "Another request exchanged this refresh token at the same time; the session continues.",
  session_already_invalidated: "The session has already ended.",

  account_not_found: "No account has this identifier.",
  account_closed: "The account is closed.",
  account_already_closed: "The account has already been closed.",
  logo_not_found: "No logo has this address.",
  image_unreadable: "The file is not a PNG or JPEG image, or it is damaged.",
  image_too_large: `The image has more than ${limits.logo.pixels / 1_000_000} million pixels or ${limits.logo.bytes / 1024 ** 2} MiB.`,
  too_many_accounts: "The user owns the maximum number of accounts; closed ones count.",

  user_not_found: "No user has this identifier.",
  email_taken: "A user with this e-mail address already exists.",
  user_not_verified: "The user who would get the role has not confirmed the e-mail address yet.",
  email_not_verified: "The user has not confirmed the e-mail address yet; the link is in the e-mail sent to it.",
  email_verified: "The e-mail address has already been confirmed.",
  email_link_invalid: "The link is invalid, already used, or expired, or another user has the address.",
  weak_password:
    "The password is too easy to guess: it is common, or consists of words about the user or the organization.",
  signup_closed: "Sign-up is not open to everyone.",
  invitation_not_found: "No invitation has this identifier or token, or it was revoked.",
  invitation_expired: "The invitation has expired; an admin can send a new one.",
  invitation_used: "The invitation has already been accepted.",
  last_admin: "The last admin of an organization cannot be removed or given another role.",
  account_required: "A member needs an open account: make the user the owner of one first.",

  api_key_not_found: "No API key has this identifier, or it has been revoked.",
  too_many_api_keys: "The organization has the maximum number of API keys; revoke some that are no longer used.",

  view_not_found: "The user has no such saved view.",
  view_name_taken: "The user has a view of this list with this name.",
  too_many_views: "The user has the maximum number of saved views; remove one first.",

  customer_not_found: "No customer has this identifier, or it belongs to another account.",
  customer_in_use:
    "The customer cannot be erased while a payment is in progress or authorized (capture or cancel it, or wait for it), " +
    "or while it has credit (apply it, or refund the payment that it was made of).",
  subscription_not_found: "No subscription has this identifier, or it belongs to another account.",
  invalid_subscription_state: "The subscription's status does not allow this.",
  customer_required: "Only a known customer who was not erased can get credit.",
  customer_not_mergeable:
    "Only two different customers of one account can be merged, and neither may have been merged or erased before.",

  payment_not_found: "No payment request has this identifier.",
  not_a_draft: "The payment request is not a draft: it has been finalized or canceled.",
  payment_not_updatable: "A payment request in this state cannot be changed like this.",
  payment_not_extendable: "A payment request in this state cannot be extended.",
  payment_not_cancelable: "A payment request in this state cannot be canceled.",
  payment_expired: "The payment request has expired.",
  payment_already_paid: "The payment request has already been paid.",
  nothing_lost: "No lost dispute of the payment request waits for a decision.",
  payment_not_reopenable: "What a lost dispute took of this payment request cannot be made due again.",
  nothing_late: "No money of the payment request that arrived late waits for a decision.",
  link_used_up: "Every place of the reusable link is taken, or held by somebody who is paying.",
  too_many_parts: `At most ${limits.partsOfRequest} payments are recorded for a payment request: the last must pay all that is due.`,
  payment_not_payable: "A payment request in this state cannot be paid.",
  payment_not_capturable: "A payment request in this state has nothing to capture.",
  authorization_expired: "The authorization was not captured in time.",
  already_captured: "The authorization has already been captured.",
  capture_exceeds_authorization: "The capture is larger than the authorized amount.",
  amount_not_confirmed: "The new amount is much larger than the one that was charged last, and is not confirmed.",
  amount_mismatch: "The amount differs from the sum of the line items.",
  amount_too_large: "The amount is larger than the amount due.",
  duplicate_reference: "The account has already used this reference.",
  invoice_number_taken:
    "Another account with the same tax number issues invoices with the same prefix, so their numbers would be the same.",
  card_declined: "The card was declined.",
  form_expired: "The form is out of date or belongs to another page; reload the page.",
  payment_processing: "A payment is already being processed.",

  transaction_not_found: "No transaction has this identifier.",
  refund_exceeds_captured: "The refund is larger than the amount that can still be refunded.",
  payment_disputed: "The customer disputes this payment, so it cannot be refunded until that is decided.",
  insufficient_credit: "The customer of the payment request has less credit in its currency.",
  insufficient_balance: "The account's available balance is too small.",
  balance_limit_exceeded: "A balance would exceed the largest exact amount.",
  same_account_transfer: "A transfer requires two different accounts.",
  currency_mismatch: "The currencies differ.",

  mail_not_found: "No mail has this identifier.",
  mail_not_resendable:
    "This mail cannot be resent: its kind cannot, it is on its way, its text was removed, or its link is not valid.",
  mail_server_missing: "No mail server is set up.",

  job_not_found: "No failed job has this identifier.",

  setup_completed: "The instance has already been set up.",
  invalid_setup_token: "The set-up link is invalid.",
  reset_link_invalid: "The link is invalid, already used, or expired.",
} as const;

export type ErrorCode = keyof typeof errorMeanings;

export type DomainStatus = 400 | 401 | 404;

/** Marks the failures of every copy of this module. */
const mark = Symbol.for("quittance.failure");

/**
 * A refusal with a code from the catalog. Our bundle and Next's each have a copy of this class, and one catches what
 * the other throws, so `instanceof` accepts the failures of both.
 */
export class Failure extends Error {
  readonly [mark] = true;

  static override [Symbol.hasInstance](value: unknown): value is Failure {
    return typeof value === "object" && value !== null && mark in value;
  }

  constructor(
    readonly code: ErrorCode,
    readonly status: number,
    description: string = errorMeanings[code],
    /** Response headers that belong to the refusal. */
    readonly headers: Readonly<Record<string, string>> = {},
    /** Whether rows written before the refusal are committed. */
    readonly commits = false,
  ) {
    super(description);
    this.name = "Failure";
  }
}

export type ProtocolCode = keyof typeof protocolErrors;

/** A failure before the operation runs, with the fixed status of its code. */
export const protocolFailure = (code: ProtocolCode, description?: string, headers?: Record<string, string>): Failure =>
  new Failure(code, protocolErrors[code], description, headers);

/** The refusal of a throttled call, with the seconds to wait. `commits` keeps what was written before. */
export const throttled = (seconds: number, commits = false): Failure =>
  new Failure("rate_limited", protocolErrors.rate_limited, undefined, { "Retry-After": String(seconds) }, commits);

/** A response to a request that never gets past the HTTP server. */
export interface HttpRefusal {
  code: ProtocolCode;
  /** Set if the code's meaning is not specific enough. */
  description?: string;
  headers?: Readonly<Record<string, string>>;
  /** How long to delay the response, in milliseconds. */
  delayMs?: number;
}
