// POST /v1/invitations: invites a person by mail. The response also contains a link, which an admin can hand over.
import { roleMay } from "@/server/access/may";
import { rules } from "@/server/access/rules";
import { enqueueMail } from "@/server/domains/mails/enqueue";
import { mailThrottles, senderOf } from "@/server/domains/mails/throttles";
import { organizationById } from "@/server/domains/organizations/organization";
import { findByEmail, readUser } from "@/server/domains/users/store";
import { bucketOf, reserve } from "@/server/fairness/throttle";
import type { WriteContext } from "@/server/kit/context";
import { foldEmail } from "@/server/kit/fields";
import { userOf } from "@/server/kit/identity";
import { dayMs, limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { invitationSecret } from "../answer-secret";
import { invitationUrl, newLinks } from "../link";
import { presentInvitation } from "../present";
import { revokeByCaller } from "../revoke";
import { isReplaceable } from "../rules";
import { createInput, invitation } from "../schema";
import { type InvitationRow, insertInvitation } from "../store";

export const createInvitation = operation({
  id: "invitations.create",
  summary: "Invite a person",
  description:
    "Mails a link with which the person joins the organization. `url` is a second link, to hand over in person. It " +
    "appears only in this response, and does not verify the address. An open invitation to the same address is " +
    "revoked. If a member has the address but has not verified it, accepting with the mailed link removes that member. " +
    `Valid for ${limits.invitationDays} days. At most ${limits.invitationsPerDay} per organization and day; ` +
    "their mails also count against the limits on mails, such as those per recipient and day.",
  access: rules["invitations.create.member"],
  accessFor: ({ role }) => rules[`invitations.create.${role}`],
  effect: "write",
  rest: { method: "POST", path: "/v1/invitations", extension: true },
  input: createInput,
  output: invitation,
  secret: invitationSecret,
  errors: {
    reauthentication_required: 400,
    insufficient_permissions: 400,
    email_not_verified: 400,
    email_taken: 400,
    invalid_request: 400,
  },
  async run({ ctx, input, fail }) {
    const { organizationId } = ctx.scope;
    const { email, role } = input;
    if (input.account && !roleMay("accounts.create", role)) {
      return fail("invalid_request", `account: ${role}s have no account`);
    }
    const bucket = bucketOf("invitations", organizationId);
    await reserve(ctx.db, ctx.now, [{ bucket, limit: limits.invitationsPerDay, windowMs: dayMs }]);
    // A user of another organization stays unknown; only the person who accepts the invitation learns of it.
    const known = await findByEmail(ctx.db, email);
    if (known?.organizationId === organizationId && !isReplaceable(known, organizationId)) return fail("email_taken");

    const emailKey = foldEmail(email);
    const [replaced] = await revokeByCaller(ctx, { organizationId, emailKey }, "replaced", fail);
    const row = await insertInvitation(ctx.db, {
      ...{ id: ctx.id("inv"), organizationId, email, emailKey, name: input.name ?? null, role },
      ...{ accountFields: input.account ?? null, locale: input.locale ?? null },
      ...{ invitedBy: userOf(ctx.actor)?.userId ?? null, ...newLinks(ctx.runtime) },
      ...{ createdAt: ctx.now, expiresAt: ctx.now + limits.invitationDays * dayMs },
    });
    await mail(ctx, row);

    ctx.audit({ target: row.id, detail: { role, ...(replaced ? { replaces: replaced.id } : {}) } });
    const data = { invitation_id: row.id, role, status: "open" };
    ctx.emit({ type: "invitation.created", object: row.id, data, first: true });
    return presentInvitation(row, ctx.now, invitationUrl(ctx.runtime, row, ctx.now));
  },
});

/** Comes last, because it locks rows. A held mail does not count. */
async function mail(ctx: WriteContext, row: InvitationRow): Promise<void> {
  const { id, organizationId, email, emailKey: toKey, locale, invitedBy } = row;
  const counted = { organizationId, accountId: null, paymentId: null, toKey };
  if (ctx.runtime.env.mail !== null) await reserve(ctx.db, ctx.now, mailThrottles(counted, senderOf(ctx)));
  const { name: organization } = await organizationById(ctx.db, organizationId);
  const inviter = invitedBy === null ? undefined : await readUser(ctx.db, invitedBy);
  await enqueueMail(ctx, {
    ...{ kind: "invitation", organizationId, to: email, locales: [locale, inviter?.locale ?? null], timezone: null },
    data: { organization, inviter: inviter?.name ?? null, days: limits.invitationDays },
    link: { purpose: "invitation", objectId: id },
  });
}
