// What all examples share: the form of an entry, and the records and times that they show.

/** The examples of one operation. */
export interface OperationExamples {
  /** Bodies by what they show; absent where the operation takes none. */
  requests?: Readonly<Record<string, object>>;
  /** The response's body; for a file, its text by media type. */
  response: unknown;
}

const suffix = "01kacz7q4v8n2j5s6t3w9x0y1r";

/** The records that the examples show. */
export const ids = {
  organization: `org_${suffix}`,
  account: `acct_${suffix}`,
  otherAccount: "acct_01kacz9d3w5k7m9p1r3t5v7x9z",
  user: `usr_${suffix}`,
  otherUser: "usr_01kacz9d3w5k7m9p1r3t5v7x9z",
  session: `ses_${suffix}`,
  apiKey: `key_${suffix}`,
  auditEntry: `aud_${suffix}`,
  customer: `cus_${suffix}`,
  otherCustomer: "cus_01kacz9d3w5k7m9p1r3t5v7x9z",
  payment: `pay_${suffix}`,
  subscription: `sub_${suffix}`,
  transaction: `txn_${suffix}`,
  mail: `mai_${suffix}`,
  invitation: `inv_${suffix}`,
  refund: "txn_01kad2f6h8j0m2p4r6t8w0y2a4",
} as const;

/** When things happen in the examples. */
export const at = {
  signUp: "2026-11-20T13:55:00.000Z",
  request: "2026-11-20T14:05:00.000Z",
  payment: "2026-11-20T14:07:30.000Z",
  refund: "2026-11-21T09:30:00.000Z",
} as const;

/** A page with these rows and no further one. */
export const pageOf = (...data: object[]) => ({
  data,
  has_more: false,
  next_cursor: null,
  total_count: null,
  total_is_estimate: null,
});
