// A logo as an image. Its address contains its hash, so it never changes and may be kept for as long as anyone likes.
import { viewLogo } from "@/server/domains/accounts/operations/view-logo";
import { logoPathOf } from "@/server/domains/accounts/rules";
import type { HttpReply } from "@/server/http/exchange";
import { Failure } from "@/server/kit/errors";
import { protectiveHeaders } from "@/server/kit/protective-headers";
import { notFound } from "./answers";
import type { PageCall } from "./call";

/** Nothing in it may run or load anything, whatever a browser takes it for. Other sites and mails may show it. */
const headers = {
  ...protectiveHeaders,
  "Cache-Control": "public, max-age=31536000, immutable",
  "Content-Security-Policy": "sandbox; default-src 'none'",
  "Cross-Origin-Resource-Policy": "cross-origin",
} as const;

/** The image of a file such as `<hash>.png`. */
export async function showLogo(call: PageCall, file: string): Promise<HttpReply> {
  const hash = file.slice(0, file.indexOf("."));
  try {
    const { type, image } = await call.perform(viewLogo, { hash });
    if (!logoPathOf({ hash, type }).endsWith(file)) return notFound(call);
    const all = { ...headers, ETag: `"${hash}"` };
    if (call.headers.get("if-none-match")?.includes(all.ETag)) return { status: 304, headers: all, body: null };
    const bytes = new Uint8Array(Buffer.from(image, "base64"));
    return { status: 200, headers: { ...all, "Content-Type": type }, body: null, bytes };
  } catch (error) {
    if (error instanceof Failure && error.code === "logo_not_found") return notFound(call);
    throw error;
  }
}
