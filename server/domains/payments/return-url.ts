// Where the pay page leads the payer, as merchants give it.

/** What the id of the payment request replaces in an address. */
export const placeholder = "{payment_id}";

/** Spaces, control characters and invisible ones. */
const hasHidden = /[\s\p{Cc}\p{Cf}]/u;

/** Whether the payer may be led there: an https address without a user name or, for the sandbox, http on this computer. */
export function isReturnUrl(text: string): boolean {
  if (hasHidden.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  return (url.protocol === "https:" || isOnThisComputer(url)) && url.username === "" && url.password === "";
}

/** Whether it is http on a loopback address (RFC 6761, RFC 8252 section 7.3). */
const isOnThisComputer = ({ protocol, hostname }: URL): boolean =>
  protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(hostname);

/** Whether the address only works where the payer's browser and the shop are on one computer. */
export const isForSandbox = (text: string): boolean => isOnThisComputer(new URL(text));

/** The address with the id of the payment request in it; null if there is none. */
export const returnUrlOf = (text: string | null, paymentId: string): string | null =>
  text?.replaceAll(placeholder, paymentId) ?? null;
