// The operations behind a reset link's page: view the link's state, and set the new password once.
import * as z from "zod";
import type { Reader } from "@/db/client";
import { rules } from "@/server/access/rules";
import { removeFactorsSince } from "@/server/domains/factors/change";
import { checkSecondFactor } from "@/server/domains/factors/code";
import { oneTimeCode } from "@/server/domains/factors/schema";
import { hasMailedLink } from "@/server/domains/mails/store";
import { organizationById } from "@/server/domains/organizations/organization";
import { announceUpdate } from "@/server/domains/users/announce";
import { changeUser, lockUsers, setEmail, type UserRow } from "@/server/domains/users/store";
import type { WriteContext } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import { operation, saga } from "@/server/kit/operation";
import { hashPassword, newPassword } from "@/server/secrets/password";
import { isWeakPassword } from "@/server/secrets/weak-password";
import { replacePassword } from "../passwords";
import { readResetLink } from "../reset-link";
import { markResetUsed } from "../reset-store";
import { placeOf } from "../throttles";

const token = z.string().max(limits.oneTimeToken);

export const viewReset = operation({
  id: "users.viewReset",
  summary: "State of a reset link",
  access: rules["users.reset"],
  effect: "read",
  input: z.strictObject({ token }),
  output: z.strictObject({
    state: z.enum(["open", "used", "expired"]),
    email: z.string().nullable().meta({ description: "The user's address, while the link is open." }),
    user_id: z.string().nullable().meta({ description: "The user, while the link is open." }),
    needs_code: z.boolean().meta({ description: "Whether the user has a second factor." }),
  }),
  errors: {},
  async run({ ctx, input }) {
    const link = await readResetLink(ctx.db, input.token, ctx.now);
    const user = link.state === "open" ? link.user : null;
    return {
      ...{ state: link.state, email: user?.email ?? null, user_id: user?.id ?? null },
      needs_code: link.state === "open" && link.user.mfaEnabled && !(await isFirstProof(ctx.db, link)),
    };
  },
});

export const resetPassword = saga({
  id: "users.resetPassword",
  summary: "Set a new password with a reset link",
  access: rules["users.reset"],
  input: z.strictObject({ token, new_password: newPassword, otp: oneTimeCode.optional() }),
  output: z.strictObject({ user_id: z.string() }),
  errors: { reset_link_invalid: 400, weak_password: 400, mfa_required: 400, invalid_otp: 400 },
  idempotent: false,
  async begin({ ctx, input, fail }) {
    const link = await readResetLink(ctx.db, input.token, ctx.now);
    if (link.state !== "open") return fail("reset_link_invalid");
    const { email, organizationId } = link.user;
    const { name } = await organizationById(ctx.db, organizationId);
    if (isWeakPassword(input.new_password, { email, organization: name })) return fail("weak_password");
    return { intent: { user_id: link.user.id } };
  },
  perform: ({ ctx, input }) => hashPassword(input.new_password, placeOf(ctx)),
  async finish({ ctx, input, intent, outcome: passwordHash, fail, failAfterCommit }) {
    await lockUsers(ctx.db, [intent.user_id]);
    // Read again under the lock: of two concurrent uses of the link, one comes too late.
    const link = await readResetLink(ctx.db, input.token, ctx.now);
    if (link.state !== "open") return fail("reset_link_invalid");
    const user = (await isFirstProof(ctx.db, link)) ? await takenOver(ctx, link.user) : link.user;
    // The link proves only that its holder reads the user's mail.
    const asked = { code: input.otp ?? null, on: "page", source: { resetLink: link.hash } } as const;
    await checkSecondFactor(ctx, user, asked, failAfterCommit);
    await markResetUsed(ctx.db, link.hash, ctx.now);
    await replacePassword(ctx, user, passwordHash, null);
    return { user_id: link.user.id };
  },
});

/**
 * Whether the use of this mailed link is the first proof that its holder has the address. A stranger may have signed up
 * with it. The command line's link is handed over, so it proves nothing about the address.
 */
const isFirstProof = async (q: Reader, { hash, user }: { hash: string; user: UserRow }): Promise<boolean> =>
  user.emailVerifiedAt === null && hasMailedLink(q, user.id, hash);

/** Verifies the address, and removes the name and the factors, which a stranger may have set up. Returns the user. */
async function takenOver(ctx: WriteContext, user: UserRow): Promise<UserRow> {
  await changeUser(ctx.db, user.id, { name: null });
  const owner = { ...user, name: null, emailVerifiedAt: ctx.now, mfaEnabled: false };
  await setEmail(ctx.db, owner, user.email, ctx.now);
  announceUpdate(ctx, user, ["email_verified_at", "name"]);
  await removeFactorsSince(ctx, owner, 0);
  return owner;
}
