// The operations behind the page of a link about an e-mail address: view its state, and use it once.
import * as z from "zod";
import { isUniqueViolation } from "@/db/errors";
import { emailLinkKinds } from "@/db/schema/values";
import { rules } from "@/server/access/rules";
import { removeFactorsSince } from "@/server/domains/factors/change";
import { changedValues } from "@/server/domains/records/changes";
import { forgetDevicesOf } from "@/server/domains/sessions/devices";
import { type Ended, endSessions } from "@/server/domains/sessions/end";
import { announceUpdate } from "@/server/domains/users/announce";
import { notifyUser } from "@/server/domains/users/notices";
import { lockUsers, setEmail, type UserRow } from "@/server/domains/users/store";
import type { WriteContext } from "@/server/kit/context";
import { hourMs, limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { makeEmailLink, readEmailLink } from "../links";
import { deleteUnused, type EmailLinkRow, markLinkUsed } from "../store";

const input = z.strictObject({ token: z.string().max(limits.oneTimeToken) });
const kind = z.enum(emailLinkKinds);

export const viewEmailLink = operation({
  id: "users.viewEmailLink",
  summary: "State of a link about an e-mail address",
  access: rules["users.emailLink"],
  effect: "read",
  input,
  output: z.strictObject({
    state: z.enum(["open", "used", "taken", "expired"]),
    kind: kind.nullable().meta({ description: "Null for an unknown link." }),
    email: z.string().nullable().meta({ description: "The address that it is about, while the link is open." }),
    user_id: z.string().nullable().meta({ description: "Whose address it is about, while the link is open." }),
  }),
  errors: {},
  async run({ ctx, input: { token } }) {
    const { state, row } = await readEmailLink(ctx.db, token, ctx.now);
    const open = state === "open" ? row : null;
    return { state, kind: row?.kind ?? null, email: open?.email ?? null, user_id: open?.userId ?? null };
  },
});

export const useEmailLink = operation({
  id: "users.useEmailLink",
  summary: "Use a link about an e-mail address",
  access: rules["users.emailLink"],
  effect: "write",
  input: input.extend({
    keeps_factors: z
      .boolean()
      .default(false)
      .describe(
        "The user of the link is signed in where it is used, so the second factors are known to be the user's.",
      ),
  }),
  output: z.strictObject({ user_id: z.string(), kind }),
  errors: { email_link_invalid: 400 },
  idempotent: false,
  async run({ ctx, input: { token, keeps_factors: keepsFactors }, fail }) {
    const seen = await readEmailLink(ctx.db, token, ctx.now);
    if (seen.state !== "open") return fail("email_link_invalid");
    await lockUsers(ctx.db, [seen.user.id]);
    // Read again under the lock: of two uses, or of a change and its undoing, one comes too late.
    const link = await readEmailLink(ctx.db, token, ctx.now);
    if (link.state !== "open") return fail("email_link_invalid");
    if (!(await hasMoved(ctx, link.user, link.row.email))) return fail("email_link_invalid");
    await markLinkUsed(ctx.db, link.row.hash, ctx.now);
    const ended = await follow(ctx, link.row, link.user);
    if (!keepsFactors) await removeUnprovenFactors(ctx, link.row, link.user);
    record(ctx, link.row, link.user, ended);
    return { user_id: link.user.id, kind: link.row.kind };
  },
});

/** Makes the address the user's and verified; false if another user has just got it. */
async function hasMoved({ db, now, runtime }: WriteContext, user: UserRow, email: string): Promise<boolean> {
  try {
    await runtime.db.savepoint(db, () => setEmail(db, user, email, now));
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/**
 * Undoing a change of address also removes second factors that were set up this long before the change was confirmed:
 * the person who changed the address may have set them up first. The confirmation may have come as late as the link
 * allowed, so the link's lifetime is included.
 */
const beforeChangeMs = (limits.emailLinks.hours + limits.undoneFactorHours) * hourMs;

/** What else belongs to the change. `before` is the user with the previous address. */
async function follow(
  ctx: WriteContext,
  { kind: used, createdAt, email }: EmailLinkRow,
  before: UserRow,
): Promise<Ended> {
  if (used === "change" && before.emailVerifiedAt !== null) {
    // A stranger may read the mail of an address that was never verified.
    const undo = await makeEmailLink(ctx, before, "undo", before.email);
    await notifyUser(ctx, before, { notice: "email_changed" }, undo);
  }
  if (used !== "undo") return { sessions: 0, tokens: 0 };
  // Undoing this change also undoes the later ones, so their undo links must not work any more.
  await deleteUnused(ctx.db, before.id, "undo", createdAt);
  const ended = await endSessions(ctx, { userId: before.id }, "email_change_undone");
  await forgetDevicesOf(ctx, before.id);
  await removeFactorsSince(ctx, { ...before, email, emailVerifiedAt: ctx.now }, createdAt - beforeChangeMs);
  await notifyUser(ctx, before, { notice: "email_change_undone" });
  return ended;
}

/**
 * Removes the second factors of a user whose first address is now verified. A stranger may have signed up with it and
 * set them up, which would keep the owner out, also after a new password.
 */
async function removeUnprovenFactors(ctx: WriteContext, { email }: EmailLinkRow, before: UserRow): Promise<void> {
  if (before.emailVerifiedAt === null) {
    await removeFactorsSince(ctx, { ...before, email, emailVerifiedAt: ctx.now }, 0);
  }
}

function record(ctx: WriteContext, { kind: used, email }: EmailLinkRow, before: UserRow, ended: Ended): void {
  const { id, organizationId } = before;
  const changes = { subject: id, values: changedValues({ email: before.email }, { email }) };
  const detail = { kind: used, revoked_sessions: ended.sessions, revoked_tokens: ended.tokens };
  ctx.audit({ target: id, organizationId, actor: { type: "user", id }, detail, changes });
  announceUpdate(ctx, before, [used === "verify" ? "email_verified_at" : "email"]);
}
