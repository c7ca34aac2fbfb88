// Reads a submitted form of a hosted page: only from our own page, only of the right kind, and no longer than a form can be.
import { limits } from "@/server/kit/limits";

type Headers = { get(name: string): string | null };

/**
 * Whether the form was sent from our page (OWASP CSRF prevention, Fetch Metadata). Under `no-referrer` browsers say
 * `Origin: null`; the one-time form token decides then, as it does where neither header is sent.
 */
export function isFromOurPage(headers: Headers, appUrl: string): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const origin = headers.get("origin");
  return origin === null || origin === "null" || origin === appUrl;
}

export type Submission = { fields: Record<string, string> } | { refused: 400 | 413 | 415 };

/** The fields of the body; each name counts once, the first time. */
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
