// Personal data in a response stored with an Idempotency-Key: read again instead of stored, so that it can be erased.
import type { AnswerSecret } from "@/server/kit/operation";
import type { User } from "./schema";
import { findUser } from "./store";

/** For the operation that returns a new user. */
export const personalAnswer: AnswerSecret<User> = {
  without: (answer) => ({ ...answer, email: "", name: null }),
  async restored(stored, tx) {
    const row = await findUser(tx, stored.organization_id, stored.user_id);
    return row ? { ...stored, email: row.email, name: row.name } : stored;
  },
};
