// POST /v1/users: a sign-up, an accepted invitation, or a user created by an admin or an API key. Also creates the
// account of a member or an admin.
import type * as z from "zod";
import { roleMay } from "@/server/access/may";
import { rules } from "@/server/access/rules";
import { mailVerification } from "@/server/domains/addresses/verification";
import { revokeByCaller } from "@/server/domains/invitations/revoke";
import { organizationById } from "@/server/domains/organizations/organization";
import { placeOf } from "@/server/domains/sessions/throttles";
import { personalAnswer } from "@/server/domains/users/answer-secret";
import { presentUser } from "@/server/domains/users/present";
import { user } from "@/server/domains/users/schema";
import { findByEmail, type UserRow } from "@/server/domains/users/store";
import { addressBucketOf, reserve, type Throttle } from "@/server/fairness/throttle";
import type { WriteContext } from "@/server/kit/context";
import { foldEmail } from "@/server/kit/fields";
import { isAnonymous } from "@/server/kit/identity";
import { hourMs } from "@/server/kit/limits";
import { type Fail, saga } from "@/server/kit/operation";
import { hashPassword } from "@/server/secrets/password";
import { isWeakPassword } from "@/server/secrets/weak-password";
import { lockOpenInvitation, openInvitation, promisedAccount, recordAcceptance } from "../accept";
import { registerUser } from "../register";
import { makeWay, replacedBy } from "../replaced";
import { createInput } from "../schema";
import { organizationToSignUpTo } from "../sign-up";

/** What the new user joins, and as whom. */
interface Joining {
  organizationId: string;
  /** The organization's name. */
  organization: string;
  email: string;
  role: UserRow["role"];
  /** The user whom the new one replaces. */
  replacedId?: string | undefined;
}
type Input = z.output<typeof createInput>;
type Refusal = Fail<
  "signup_closed" | "invalid_request" | "invitation_not_found" | "invitation_expired" | "invitation_used"
>;

export const createUser = saga({
  id: "users.create",
  summary: "Create a new user",
  description:
    "Without a credential this is a sign-up, if the instance allows it, or with `invite_token` the acceptance of an " +
    "invitation; an admin may set any role, an API key creates members. Creates the account of a member or an admin in " +
    "the same transaction; viewers and operators have none. An Idempotency-Key is ignored without a credential.",
  access: rules["users.create.member"],
  accessFor: ({ role }) => rules[`users.create.${role ?? "member"}`],
  rest: { method: "POST", path: "/v1/users" },
  input: createInput,
  output: user,
  secret: personalAnswer,
  errors: {
    reauthentication_required: 400,
    email_taken: 400,
    weak_password: 400,
    signup_closed: 400,
    invitation_not_found: 400,
    invitation_expired: 400,
    invitation_used: 400,
    insufficient_permissions: 400,
    invalid_request: 400,
  },
  async begin({ ctx, input, fail }) {
    const isSignup = isAnonymous(ctx.actor) && typeof input.invite_token !== "string";
    const { organizationId, organization, email, role, replacedId } = await joiningOf(ctx, input, fail);
    const hasAccount = roleMay("accounts.create", role);
    if (!hasAccount && input.account) return fail("invalid_request", `account: ${role}s have no account`);
    if (isWeakPassword(input.password, { email, organization })) return fail("weak_password");

    if (isSignup) await reserve(ctx.db, ctx.now, [signupThrottle(ctx)]);
    const holder = await findByEmail(ctx.db, email);
    if (holder && holder.id !== replacedId) {
      if (!isSignup) {
        // If somebody has accepted this invitation since it was read, say that it was used.
        if (typeof input.invite_token === "string") await openInvitation(ctx.db, input.invite_token, ctx.now, fail);
        return fail("email_taken");
      }
      // The count is committed and the refusal waits for the hash: probing is limited, and timing reveals nothing.
      ctx.audit({ target: null, organizationId, detail: { refused: "email_taken" } });
    }
    return { intent: { organizationId, userId: ctx.id("usr"), accountId: hasAccount ? ctx.id("acct") : null } };
  },
  perform: ({ ctx, input }) => hashPassword(input.password, placeOf(ctx)),
  async finish({ ctx, input, intent, outcome: passwordHash, fail }) {
    const { organizationId, userId, accountId } = intent;
    const { invite_token: token } = input;
    if (typeof token === "string") await makeWay(ctx, token, fail);
    const invited = typeof token === "string" ? await lockOpenInvitation(ctx, token, fail) : null;
    const email = invited?.row.email ?? input.email ?? fail("invalid_request", emailMissing);
    const name = input.name ?? invited?.row.name ?? null;
    const account = invited ? promisedAccount(invited.row) : input.account;
    // A sign-up proves nothing about the address, so it ends no invitation.
    if (!isAnonymous(ctx.actor)) {
      await revokeByCaller(ctx, { organizationId, emailKey: foldEmail(email) }, "user_created", fail);
    }
    const created = await registerUser(ctx, {
      ...{ userId, organizationId, email, name, passwordHash },
      hasGivenPassword: invited === null && !isAnonymous(ctx.actor),
      emailVerifiedAt: invited?.provesAddress ? ctx.now : null,
      locale: invited?.row.locale ?? null,
      role: invited?.row.role ?? input.role ?? "member",
      account:
        accountId === null
          ? null
          : {
              accountId,
              accountType: account?.account_type ?? "individual",
              accountName: account?.account_name ?? name ?? email,
              email: account?.email ?? email,
              preferences: account?.preferences,
            },
    });
    if (!created) return fail("email_taken");
    if (created.emailVerifiedAt === null) await mailVerification(ctx, created, created.email);
    if (invited) await recordAcceptance(ctx, invited.row, userId);
    const joined = isAnonymous(ctx.actor) ? ({ type: "user", id: userId } as const) : undefined;
    ctx.audit({
      ...{ target: userId, organizationId, actor: joined },
      detail: {
        ...{ account_id: accountId, role: created.role },
        ...(invited ? { invitation_id: invited.row.id } : {}),
      },
    });
    return presentUser(created);
  },
});

const emailMissing = "email: is required without an invitation";

const signupThrottle = ({ runtime, request }: WriteContext): Throttle => ({
  bucket: addressBucketOf("signup", request.ip),
  limit: runtime.env.signupsPerIp,
  windowMs: hourMs,
});

/** What the call creates the user for: an invitation, a sign-up, or the caller's organization. */
async function joiningOf(ctx: WriteContext, input: Input, fail: Refusal): Promise<Joining> {
  const { invite_token: token, organization_id: named = null } = input;
  if (typeof token === "string") return invitedTo(ctx, token, input, fail);
  const email = input.email ?? fail("invalid_request", emailMissing);
  const { id, name } = isAnonymous(ctx.actor)
    ? await openOrganization(ctx, named, fail)
    : await ownOrganization(ctx, named, fail);
  return { organizationId: id, organization: name, email, role: input.role ?? "member" };
}

async function invitedTo(ctx: WriteContext, token: string, input: Input, fail: Refusal): Promise<Joining> {
  if (!isAnonymous(ctx.actor)) return fail("invalid_request", "invite_token: must be sent without a credential");
  const decided = (["role", "account", "organization_id"] as const).filter((field) => input[field] != null);
  if (decided.length > 0)
    return fail("invalid_request", `${decided.join(", ")}: must not be sent with invite_token; the invitation sets it`);
  const invitation = await openInvitation(ctx.db, token, ctx.now, fail);
  const { row } = invitation;
  const isOther = input.email !== undefined && foldEmail(input.email) !== row.emailKey;
  if (isOther) return fail("invalid_request", "email: must be the invited address");
  const { name: organization } = await organizationById(ctx.db, row.organizationId);
  const replacedId = (await replacedBy(ctx, invitation))?.id;
  return { organizationId: row.organizationId, organization, email: row.email, role: row.role, replacedId };
}

/** The organization that a sign-up joins. Naming one requires an invitation. */
async function openOrganization(ctx: WriteContext, named: string | null, fail: Refusal) {
  if (named !== null)
    return fail("signup_closed", "organization_id: joining a named organization requires an invitation.");
  return (await organizationToSignUpTo(ctx.db, ctx.runtime.env)) ?? fail("signup_closed");
}

/** The caller's organization. Naming another one is refused as unknown. */
async function ownOrganization({ db, scope }: WriteContext, named: string | null, fail: Refusal) {
  if (named === null || named === scope.organizationId) return organizationById(db, scope.organizationId);
  return fail("invalid_request", "organization_id: unknown organization");
}
