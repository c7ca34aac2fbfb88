// The pay link. Its token is derived from the payment request's id and a nonce, so it can be shown again without being
// stored.
import { randomBytes } from "node:crypto";
import { type Customer, isBlank } from "@/db/schema/values";
import type { ServerKeys } from "@/server/process/server-key";
import { deriveBytes, hashToken, mintToken, parseToken } from "@/server/secrets/secret";

/** The columns of a payment request's link. They never contain the token itself. */
interface LinkColumns {
  linkNonce: string;
  linkKeyId: string;
  /** SHA-256 of the token, hexadecimal. */
  linkHash: string;
}

/** A new link for the payment request with this id. */
export function newLink(keys: ServerKeys, paymentId: string): LinkColumns {
  const linkNonce = randomBytes(16).toString("base64url");
  const linkKeyId = keys.current.id;
  return { linkNonce, linkKeyId, linkHash: hashToken(tokenOf(keys, paymentId, { linkNonce, linkKeyId })) };
}

/** A payment request with its link; a draft has none. */
type Linked = { id: string } & Record<"linkNonce" | "linkKeyId", string | null>;

const tokenOf = (keys: ServerKeys, id: string, { linkNonce, linkKeyId }: Omit<LinkColumns, "linkHash">): string =>
  mintToken("payLink", deriveBytes(keys, linkKeyId, "pay link", id, linkNonce));

/**
 * The URL of the pay page, with 256 bits that cannot be guessed. Null for a draft, and once the server key that derived
 * it is retired: the link still works, but we cannot derive it again.
 */
export function paymentUrl(runtime: { keys: ServerKeys; env: { appUrl: string } }, row: Linked): string | null {
  const { id, linkNonce, linkKeyId } = row;
  if (linkNonce === null || linkKeyId === null) return null;
  if (!runtime.keys.all.some((key) => key.id === linkKeyId)) return null;
  return `${runtime.env.appUrl}/pay/${tokenOf(runtime.keys, id, { linkNonce, linkKeyId })}`;
}

/** The URL of the receipt; null until money has been paid. */
export function receiptUrl(
  runtime: { keys: ServerKeys; env: { appUrl: string } },
  row: Linked,
  amountPaid: number,
): string | null {
  const url = amountPaid > 0 ? paymentUrl(runtime, row) : null;
  return url && `${url}/receipt`;
}

/** The last segment of the address of an invoice's PDF, below its pay page. */
export const invoiceFile = "invoice.pdf";

/** The columns that say whether an invoice can be shown to everyone with the link. */
interface InvoiceColumns {
  invoiceNumber: string | null;
  pdfProblem: string | null;
  customerId: string | null;
  customer: Customer | null;
}

/** Whether the customer was erased: the invoice is kept, but no longer shown to everyone with the link. */
export const isErased = ({ customerId, customer }: Pick<InvoiceColumns, "customerId" | "customer">): boolean =>
  customerId !== null && customer !== null && isBlank(customer);

/** Whether everyone with the link can open the invoice as a PDF file. */
export const hasPdf = (row: InvoiceColumns): boolean =>
  row.invoiceNumber !== null && row.pdfProblem === null && !isErased(row);

/** The URL of the invoice's PDF; null without a number, once erased, or if its fonts lack a character of it. */
export function invoiceUrl(
  runtime: { keys: ServerKeys; env: { appUrl: string } },
  row: Linked & InvoiceColumns,
): string | null {
  const url = hasPdf(row) ? paymentUrl(runtime, row) : null;
  return url && `${url}/${invoiceFile}`;
}

/** The query of the receipt of one payment alone, in the address of the receipt. */
export const receiptPart = (transactionId: string) => ({ payment: transactionId });

/** The payment that the address of a receipt names; null for the receipt of all. */
export const receiptPartIn = (query: URLSearchParams): string | null => query.get("payment");

/** The stored hash of a link's token; null for text that is not a token. */
export function linkHashOf(token: string): string | null {
  const parsed = parseToken("payLink", token);
  return parsed === null ? null : hashToken(parsed);
}
