// Reads a JSON body: limited while it streams, strict UTF-8, bounded depth, and only text that can be stored.
import { protocolFailure } from "@/server/kit/errors";
import { limits } from "@/server/kit/limits";
import { checkText } from "@/server/kit/storable-text";

type Chunks = AsyncIterable<Uint8Array> | null;

/** The bytes of a body. Beyond `most` bytes 413, after dropping a little more so that the client can read the response. */
export async function readBody(body: Chunks, most: number = limits.bodyBytes): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body ?? []) {
      size += chunk.length;
      if (size > most + limits.bodyDrainBytes) break;
      if (size <= most) chunks.push(chunk);
    }
  } catch {
    // The caller disconnected or sent an invalid HTTP body: not our fault.
    throw protocolFailure("invalid_request", "The body is incomplete.");
  }
  if (size > most) throw protocolFailure("payload_too_large", `The body is larger than ${most / 1024} KiB.`);
  return Buffer.concat(chunks);
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The JSON object in a body. A missing body is an empty object. Throws `invalid_json` or `invalid_request`. */
export function parseJsonObject(bytes: Buffer, contentType: string | null): Record<string, unknown> {
  if (bytes.length === 0) return {};
  if (!isJsonType(contentType)) throw protocolFailure("unsupported_media_type");
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    throw protocolFailure("invalid_json");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw protocolFailure("invalid_request", "The body must be a JSON object.");
  }
  checkContent(value, "", 1);
  return value as Record<string, unknown>;
}

const isJsonType = (contentType: string | null): boolean =>
  /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(contentType ?? "");

/** Refuses what no field accepts: deep nesting, text that one engine cannot store, and `__proto__`. */
function checkContent(value: unknown, path: string, depth: number): void {
  if (typeof value === "string") checkText(value, path);
  if (typeof value !== "object" || value === null) return;
  if (depth > limits.jsonDepth) {
    throw protocolFailure("invalid_request", `The body is nested deeper than ${limits.jsonDepth} levels.`);
  }
  for (const [key, inner] of Object.entries(value)) {
    checkText(key, path === "" ? "a field's name" : path);
    const at = path === "" ? key : `${path}.${key}`;
    if (key === "__proto__") throw protocolFailure("invalid_request", `${at}: unknown field`);
    checkContent(inner, at, depth + 1);
  }
}
