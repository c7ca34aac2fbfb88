// The QR code of a pay link as an image, for anyone who has the link, to print it or to show it on another screen.
import { createHash } from "node:crypto";
import { viewPayment } from "@/server/domains/payments/operations/view";
import type { HttpReply } from "@/server/http/exchange";
import { protectiveHeaders } from "@/server/kit/protective-headers";
import { qrPng, qrSvg } from "@/server/kit/qr";
import type { PageCall } from "./call";
import { payPathOf } from "./path";

/** Enough for print about 4 cm wide. */
const width = 512;

/** The address is a secret, so only the payer's own browser keeps the image. */
const headers = {
  ...protectiveHeaders,
  "Cache-Control": "private, max-age=3600",
  "Content-Security-Policy": "sandbox; default-src 'none'",
  "X-Robots-Tag": "noindex, nofollow",
} as const;

/** Answers with the image in a format; 404 for an unknown link. */
export const showQr =
  (format: "svg" | "png") =>
  async (call: PageCall, token: string): Promise<HttpReply> => {
    await call.perform(viewPayment, { token });
    const link = `${call.runtime.env.appUrl}${payPathOf(token)}`;
    const etag = `"${format}-${createHash("sha256").update(link).digest("base64url").slice(0, 22)}"`;
    const all = { ...headers, ETag: etag };
    if (call.headers.get("if-none-match")?.includes(etag)) return { status: 304, headers: all, body: null };
    if (format === "svg") {
      return { status: 200, headers: { ...all, "Content-Type": "image/svg+xml" }, body: qrSvg(link) };
    }
    return { status: 200, headers: { ...all, "Content-Type": "image/png" }, body: null, bytes: qrPng(link, width) };
  };
