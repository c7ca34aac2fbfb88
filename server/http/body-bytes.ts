// How many bytes the body of a request may have, and how many of them may be anything but an image.
import { protocolFailure } from "@/server/kit/errors";
import { limits } from "@/server/kit/limits";

/** Uploads an image, in base64. Every other body is small. */
const uploadPath = "/api/trpc/accounts.setLogo";

/** The largest body, in bytes, that a request for this path may have. */
export const bodyBytesOf = (path: string): number => (path === uploadPath ? limits.uploadBytes : limits.bodyBytes);

/** Which bytes are of the base64 alphabet (RFC 4648, section 4). */
const isBase64 = new Uint8Array(256);
for (const byte of Buffer.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=")) isBase64[byte] = 1;

/**
 * Refuses an upload that is more than an image and a small body around it: only the image may be large, because parsing
 * as much of anything else takes about a second.
 */
export function checkUpload(body: Buffer): void {
  if (body.length <= limits.bodyBytes) return;
  let others = 0;
  // A loop over an iterator takes four times as long.
  for (let i = 0; i < body.length; i++) others += 1 - (isBase64[body[i] ?? 0] ?? 0);
  if (others > limits.bodyBytes)
    throw protocolFailure("payload_too_large", "Only an image in base64 may be this large.");
}
