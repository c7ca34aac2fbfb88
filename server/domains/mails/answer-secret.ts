// The recipient in a response stored with an Idempotency-Key: read again instead of stored, so that it can be erased.
import type * as z from "zod";
import type { AnswerSecret } from "@/server/kit/operation";
import type { mail } from "./schema";
import { readMail } from "./store";

/** For operations that return a mail. */
export const recipientSecret: AnswerSecret<z.output<typeof mail>> = {
  without: (answer) => ({ ...answer, to: "" }),
  async restored(stored, tx) {
    const row = await readMail(tx, stored.mail_id);
    return row ? { ...stored, to: row.toAddress } : stored;
  },
};
