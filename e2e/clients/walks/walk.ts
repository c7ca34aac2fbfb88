// What both walks share: how the test calls them, and what they check. Every type comes from the generated client.

/** An id of each kind of record that the examples of the document name. */
export type Ids = Record<
  | "account"
  | "user"
  | "session"
  | "customer"
  | "payment"
  | "subscription"
  | "transaction"
  | "apiKey"
  | "invitation"
  | "mail",
  string
>;

export interface Start {
  baseUrl: string;
  /** Sends a request; the test records the exchange and compares it with the document. */
  fetch: typeof globalThis.fetch;
  admin: { email: string; password: string };
  /** The first admin of an organization that requires a second factor, who has none. */
  unenrolled: { email: string; password: string };
  /** Records of the first admin's organization, for the examples of the document. */
  ids: Ids;
  /** A payment request of that organization whose money arrived after its end. */
  latePayment: string;
  /** Counts the address of a user as verified. */
  verify(email: string): Promise<void>;
}

/** Calls every operation of the API with one generated client. Throws at the first answer that is not as expected. */
export type Walk = (start: Start) => Promise<void>;

/** How long the walk waits for the work of a background job, in milliseconds. */
const waitMs = 20_000;

export const password = "a long enough passphrase";

export const unique = (word: string): string => `${word}-${crypto.randomUUID()}`;

export const newEmail = (): string => `${unique("walker")}@example.com`;

/** A well-formed id that no record has. */
export const absent = (prefix: string): string => `${prefix}_${"0".repeat(26)}`;

/** The answer's body. Throws if the call was refused. */
export function answered<Data>({ data, error }: { data?: Data; error?: unknown }): Data {
  if (data === undefined) throw new Error(`The call was refused: ${JSON.stringify(error)}`);
  return data;
}

interface Refused {
  error_code: string;
  error_description: string;
}

/** Expects a refusal. Compiles only with a code that the document names for the operation. */
export function refused<Refusal extends Refused>(
  { error, response }: { error?: Refusal; response: Response },
  status: number,
  code: Refusal["error_code"],
): void {
  equal([response.status, error?.error_code], [status, code]);
}

/** Expects equal values, compared as JSON. */
export function equal(actual: unknown, expected: unknown): void {
  const [seen, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (seen !== wanted) throw new Error(`Expected ${wanted}, got ${seen}.`);
}

/** Waits until the check holds. Throws if it does not in time. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + waitMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error("What the walk waits for did not happen.");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Expects the answer to a request that was sent before with the same Idempotency-Key. */
export const replayed = ({ headers }: Response): void => equal(headers.get("Idempotent-Replayed"), "true");

/** The ETag of an answer. */
export function tagOf({ headers }: Response): string {
  const tag = headers.get("ETag");
  if (tag === null) throw new Error("The answer has no ETag.");
  return tag;
}

/** The cursor of the page after this one, which must exist. */
export function nextOf({ has_more, next_cursor }: { has_more: boolean; next_cursor: string | null }): string {
  if (!has_more || next_cursor === null) throw new Error("There is no further page.");
  return next_cursor;
}
