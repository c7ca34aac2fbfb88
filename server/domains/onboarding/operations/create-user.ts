// POST /v1/users: signs a user up, or creates one for an admin or an API key, together with an account.
import { roleMay } from "@/server/access/may";
import { rules } from "@/server/access/rules";
import { mailVerification } from "@/server/domains/addresses/verification";
import { organizationById } from "@/server/domains/organizations/organization";
import { placeOf } from "@/server/domains/sessions/throttles";
import { personalAnswer } from "@/server/domains/users/answer-secret";
import { presentUser } from "@/server/domains/users/present";
import { user } from "@/server/domains/users/schema";
import { isEmailTaken } from "@/server/domains/users/store";
import { addressBucketOf, reserve, type Throttle } from "@/server/fairness/throttle";
import type { WriteContext } from "@/server/kit/context";
import { isAnonymous } from "@/server/kit/identity";
import { hourMs } from "@/server/kit/limits";
import { type Fail, saga } from "@/server/kit/operation";
import { hashPassword } from "@/server/secrets/password";
import { isWeakPassword } from "@/server/secrets/weak-password";
import { registerUser } from "../register";
import { createInput } from "../schema";
import { organizationToSignUpTo } from "../sign-up";

/** The organization that the new user belongs to. */
type Joined = { id: string; name: string };
type Refusal = Fail<"signup_closed" | "invalid_request">;

export const createUser = saga({
  id: "users.create",
  summary: "Create a new user",
  description:
    "Without a credential this is a sign-up, if the instance allows it; an admin may set any role, an API key creates " +
    "members. Creates the account of a member or an admin in the same transaction; viewers and operators have none. " +
    "An Idempotency-Key is ignored on a sign-up.",
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
    insufficient_permissions: 400,
    invalid_request: 400,
  },
  async begin({ ctx, input, fail, failAfterCommit }) {
    const isSignup = isAnonymous(ctx.actor);
    const hasAccount = roleMay("accounts.create", input.role ?? "member");
    if (!hasAccount && input.account) return fail("invalid_request", `account: ${input.role}s have no account`);
    const { id: organizationId, name } = isSignup
      ? await openOrganization(ctx, input.organization_id ?? null, fail)
      : await ownOrganization(ctx, input.organization_id ?? null, fail);
    if (isWeakPassword(input.password, { email: input.email, organization: name })) return fail("weak_password");

    if (isSignup) await reserve(ctx.db, ctx.now, [signupThrottle(ctx)]);
    if (await isEmailTaken(ctx.db, input.email)) {
      if (!isSignup) return fail("email_taken");
      // Commit the count: otherwise a client could probe any number of addresses.
      ctx.audit({ target: null, organizationId, detail: { refused: "email_taken" } });
      return failAfterCommit("email_taken");
    }
    return { intent: { organizationId, userId: ctx.id("usr"), accountId: hasAccount ? ctx.id("acct") : null } };
  },
  perform: ({ ctx, input }) => hashPassword(input.password, placeOf(ctx)),
  async finish({ ctx, input, intent, outcome: passwordHash, fail }) {
    const { organizationId, userId, accountId } = intent;
    const name = input.name ?? null;
    const created = await registerUser(ctx, {
      userId,
      organizationId,
      name,
      passwordHash,
      email: input.email,
      emailVerifiedAt: null,
      role: input.role ?? "member",
      account:
        accountId === null
          ? null
          : {
              accountId,
              accountType: input.account?.account_type ?? "individual",
              accountName: input.account?.account_name ?? name ?? input.email,
              email: input.account?.email ?? input.email,
              preferences: input.account?.preferences,
            },
    });
    if (!created) return fail("email_taken");
    await mailVerification(ctx, created, created.email);
    const signedUp = isAnonymous(ctx.actor) ? ({ type: "user", id: userId } as const) : undefined;
    ctx.audit({
      target: userId,
      organizationId,
      actor: signedUp,
      detail: { account_id: accountId, role: created.role },
    });
    return presentUser(created);
  },
});

const signupThrottle = ({ runtime, request }: WriteContext): Throttle => ({
  bucket: addressBucketOf("signup", request.ip),
  limit: runtime.env.signupsPerIp,
  windowMs: hourMs,
});

/** The organization that a sign-up joins. Naming one requires an invitation. */
async function openOrganization(ctx: WriteContext, named: string | null, fail: Refusal): Promise<Joined> {
  if (named !== null)
    return fail("signup_closed", "organization_id: joining a named organization requires an invitation.");
  return (await organizationToSignUpTo(ctx.db, ctx.runtime.env)) ?? fail("signup_closed");
}

/** The caller's organization. Naming another one is refused as unknown. */
async function ownOrganization({ db, scope }: WriteContext, named: string | null, fail: Refusal): Promise<Joined> {
  if (named === null || named === scope.organizationId) return organizationById(db, scope.organizationId);
  return fail("invalid_request", "organization_id: unknown organization");
}
