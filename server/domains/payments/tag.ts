// The version of a payment request in a response, for ETag and If-Match.
import { createHash } from "node:crypto";
import type * as z from "zod";
import { recordVersion } from "@/server/kit/version";
import type { payment } from "./schema";

/** The hash covers what time alone changes, such as the status. `If-Match` compares only the record's part. */
export function paymentTag(output: z.output<typeof payment>): string {
  const hash = createHash("sha256").update(JSON.stringify(output)).digest("base64url").slice(0, 16);
  return `${recordVersion(output.updated_at)}.${hash}`;
}
