// Invitations in responses stored with an Idempotency-Key: without the link and personal data, which the row has.
import type { AnswerSecret } from "@/server/kit/operation";
import { invitationUrl } from "./link";
import type { Invitation } from "./schema";
import { readInvitation } from "./store";

/** For operations that return an invitation; the link is read again while the invitation is open. */
export const invitationSecret: AnswerSecret<Invitation> = {
  without: (answer) => ({ ...answer, url: null, email: "", name: null }),
  async restored(stored, tx, runtime) {
    const row = await readInvitation(tx, stored.invitation_id);
    if (!row) return stored;
    const { email, name } = row;
    return { ...stored, email, name, url: invitationUrl(runtime, row, runtime.clock.now()) };
  },
};
