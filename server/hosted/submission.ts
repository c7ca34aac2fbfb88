// Reads a submitted form of a hosted page: only from our own page, with the right media type and bounded size.
import { limits } from "@/server/kit/limits";

type Headers = { get(name: string): string | null };

/**
 * Whether the form was sent from our page (OWASP CSRF prevention, Fetch Metadata). Under `no-referrer` browsers send
 * `Origin: null`. Then the one-time form token decides, as it does without either header.
 */
export function isFromOurPage(headers: Headers, appUrl: string): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const origin = headers.get("origin");
  return origin === null || origin === "null" || origin === appUrl;
}

type Submission = { fields: Record<string, string> } | { refused: 400 | 413 | 415 };

/** The fields of the body. If a name is repeated, its first value counts. */
export async function readForm(headers: Headers, body: AsyncIterable<Uint8Array> | null): Promise<Submission> {
  const type = headers.get("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(type)) return { refused: 415 };
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body ?? []) {
      size += chunk.length;
      if (size > limits.payFormBytes) return { refused: 413 };
      chunks.push(chunk);
    }
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
    return { fields: Object.fromEntries([...new URLSearchParams(text)].reverse()) };
  } catch {
    return { refused: 400 };
  }
}
