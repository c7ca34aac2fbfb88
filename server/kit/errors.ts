// The catalogue of error codes with their meanings, and the one exception that carries them.

/** Failures before an operation is reached, with their fixed statuses. */
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

/** What each code means. A code that is not here does not compile. */
export const errorMeanings = {
  invalid_json: "The body is not valid JSON in UTF-8.",
  invalid_request: "A field is missing, unknown or has a value that cannot be used; the description names each.",
  unauthorized: "No valid access token or API key was sent.",
  unknown_path: "No resource has this path.",
  method_not_allowed: "The path exists, but not with this method.",
  idempotency_key_in_use: "The first request with this Idempotency-Key is still running.",
  idempotency_key_reused: "This Idempotency-Key was used before with another request.",
  payload_too_large: "The body is larger than 64 KiB.",
  unsupported_media_type: "The body's media type is not application/json.",
  rate_limited: "Too many calls; Retry-After says when to try again.",
  internal_error: "The service failed. Nothing was changed.",
  unavailable: "The service cannot take the request now; trying again later may help.",

  insufficient_permissions: "The caller may not do this.",
  reauthentication_required: "This needs a sign-in within the last ten minutes.",
  invalid_cursor: "The cursor is not one that this list with these filters gave out.",
  object_not_found: "No payment request, transaction or account has this identifier.",
  selection_changed: "Not as many records match as `expected_count` says.",
  version_conflict: "The record has changed since the version named in If-Match.",

  invalid_credentials: "The e-mail address or the password is wrong.",
  refresh_token_invalid: "The refresh token is missing, unknown, spent or not a refresh token.",
  refresh_token_expired: "The refresh token is past its expiry.",
  session_not_found: "The session does not exist or has ended.",
  token_rotation_failed: "Another request exchanged this refresh token at the same time; the session lives on.",
  session_already_invalidated: "The session has ended before.",

  account_not_found: "No account has this identifier.",
  account_closed: "The account is closed.",
  account_already_closed: "The account was closed before.",
  too_many_accounts: "The user owns as many accounts as one may; closed ones count.",

  user_not_found: "No user has this identifier.",
  email_taken: "A user with this e-mail address exists already.",
  weak_password:
    "The password is too easily guessed: it is a common one, or made of words known about the user or the organization.",
  signup_closed: "Signing up is not open to everyone here.",
  last_admin: "The last admin of an organization cannot be removed.",

  payment_not_found: "No payment request has this identifier.",
  payment_not_cancelable: "A payment request in this state cannot be canceled.",
  payment_expired: "The payment request has expired.",
  payment_already_paid: "The payment request is paid already.",
  payment_not_payable: "A payment request in this state takes no payment.",
  payment_not_capturable: "A payment request in this state has nothing to capture.",
  authorization_expired: "The authorization was not captured in time.",
  already_captured: "The authorization was captured before.",
  capture_exceeds_authorization: "The capture is larger than what is authorized.",
  amount_mismatch: "The amount differs from the sum of the line items.",
  amount_too_large: "The amount is larger than what is due.",
  duplicate_reference: "The account has used this reference before.",
  card_declined: "The card was declined.",
  form_expired: "The form is out of date or was not made for this request; load the page again.",
  payment_processing: "A payment is being processed already.",

  transaction_not_found: "No transaction has this identifier.",
  refund_exceeds_captured: "The refund is larger than what is left of the payment.",
  insufficient_balance: "The account's available balance is too small.",
  balance_limit_exceeded: "A balance would become too large to be kept exactly.",
  same_account_transfer: "A transfer needs two different accounts.",
  currency_mismatch: "The currencies differ.",

  job_not_found: "No failed job has this identifier.",

  setup_completed: "The instance has been set up before.",
  invalid_setup_token: "The set-up link is wrong.",
  reset_link_invalid: "The link is wrong, was used before, or its time is over.",
} as const;

export type ErrorCode = keyof typeof errorMeanings;

export type DomainStatus = 400 | 401 | 404;

/** A refusal with a code of the catalogue. */
export class Failure extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly status: number,
    description: string = errorMeanings[code],
    /** Response headers that belong to the refusal. */
    readonly headers: Readonly<Record<string, string>> = {},
    /** Whether what was written before the refusal stays. */
    readonly commits = false,
  ) {
    super(description);
    this.name = "Failure";
  }
}

export type ProtocolCode = keyof typeof protocolErrors;

/** A failure before the operation is reached, with the status that the interface fixes for it. */
export const protocolFailure = (code: ProtocolCode, description?: string, headers?: Record<string, string>): Failure =>
  new Failure(code, protocolErrors[code], description, headers);

/** An answer to a request that gets no further than the HTTP server. */
export interface HttpRefusal {
  code: ProtocolCode;
  /** What the code means, where it does not say enough. */
  description?: string;
  headers?: Readonly<Record<string, string>>;
  /** How long the answer is held back. */
  delayMs?: number;
}
