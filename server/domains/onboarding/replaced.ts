// Anyone can sign up with an address. Until it is verified, an invitation to it is for the person who reads its mail.
import { isReplaceable } from "@/server/domains/invitations/rules";
import { findByEmail, type UserRow } from "@/server/domains/users/store";
import type { WriteContext } from "@/server/kit/context";
import type { Fail } from "@/server/kit/operation";
import { step } from "@/server/kit/step";
import { type OpenInvitation, openInvitation } from "./accept";

export type RemoveReplaced = (ctx: WriteContext, user: Pick<UserRow, "id" | "organizationId">) => Promise<void>;

/** Removes a user who is replaced, unless the user has verified the address meanwhile. */
export const removeReplaced = step<RemoveReplaced>("removeReplaced");

type Refusal = Fail<"invitation_not_found" | "invitation_expired" | "invitation_used">;

/** The user whom accepting with this token replaces; undefined if there is none. */
export async function replacedBy(
  { db }: Pick<WriteContext, "db">,
  { row, provesAddress }: OpenInvitation,
): Promise<UserRow | undefined> {
  const holder = provesAddress ? await findByEmail(db, row.email) : undefined;
  return holder && isReplaceable(holder, row.organizationId) ? holder : undefined;
}

/** Removes that user. Comes before the invitation is locked, because users come before it in the order of locks. */
export async function makeWay(ctx: WriteContext, token: string, fail: Refusal): Promise<void> {
  const replaced = await replacedBy(ctx, await openInvitation(ctx.db, token, ctx.now, fail));
  if (replaced) await removeReplaced()(ctx, replaced);
}
