// Signing in to the dashboard with a passkey, without e-mail address and password. It satisfies step-up too.
import {
  generateAuthenticationOptions,
  type PublicKeyCredentialRequestOptionsJSON,
  verifyAuthenticationResponse,
} from "@simplewebauthn/server";
import * as z from "zod";
import { rules } from "@/server/access/rules";
import {
  deleteExpiredChallenges,
  findByCredential,
  insertChallenge,
  notePasskeyUse,
  takeChallenge,
} from "@/server/domains/factors/passkey-store";
import { challengeIn, hashOf, relyingParty, signInAnswer } from "@/server/domains/factors/relying-party";
import { userId } from "@/server/domains/users/schema";
import { lockUser } from "@/server/domains/users/store";
import { addressBucketOf, reserve } from "@/server/fairness/throttle";
import { limits, minuteMs } from "@/server/kit/limits";
import { saga } from "@/server/kit/operation";
import type { Runtime } from "@/server/process/runtime";
import { letIn } from "../credentials";
import { signInOutput } from "../schema";
import { openDashboard } from "./sign-in";

/** Expired challenges to remove for each new one; more than one, so that the backlog shrinks. */
const cleared = 4;

export const passkeyChallenge = saga({
  id: "sessions.passkeyChallenge",
  summary: "Begin to sign in with a passkey",
  access: rules["sessions.login"],
  input: z.strictObject({}),
  output: z.strictObject({ options: z.custom<Omit<PublicKeyCredentialRequestOptionsJSON, "extensions">>() }),
  errors: { passkeys_not_offered: 400 },
  idempotent: false,
  isAudited: false,
  async begin({ ctx, fail }) {
    if (!relyingParty(ctx.runtime.env)) return fail("passkeys_not_offered");
    const windowMs = limits.signInWindowMinutes * minuteMs;
    const bucket = addressBucketOf("passkey_challenge", ctx.request.ip);
    await reserve(ctx.db, ctx.now, [{ bucket, limit: limits.passkeys.challenges, windowMs }]);
    return { intent: {} };
  },
  perform: ({ ctx, fail }) =>
    generateAuthenticationOptions({
      rpID: relyingParty(ctx.runtime.env)?.id ?? fail("passkeys_not_offered"),
      userVerification: "required",
      timeout: limits.passkeyChallengeMinutes * minuteMs,
    }),
  async finish({ ctx, outcome: options }) {
    await deleteExpiredChallenges(ctx.db, ctx.now, cleared);
    const expiresAt = ctx.now + limits.passkeyChallengeMinutes * minuteMs;
    const hash = hashOf(options.challenge);
    await insertChallenge(ctx.db, { hash, purpose: "sign_in", userId: null, expiresAt });
    return { options };
  },
});

export const signInWithPasskey = saga({
  id: "sessions.signInWithPasskey",
  summary: "Sign in to the dashboard with a passkey",
  access: rules["sessions.login"],
  input: signInAnswer.extend({
    user_id: userId.optional().meta({ description: "For step-up: the user who must own the passkey." }),
  }),
  output: signInOutput,
  errors: { passkey_refused: 400, account_closed: 400 },
  idempotent: false,
  async begin({ ctx, input, fail }) {
    const challenge = challengeIn(input.client_data) ?? fail("passkey_refused");
    const row = await takeChallenge(ctx.db, hashOf(challenge), ctx.now);
    if (row?.purpose !== "sign_in") return fail("passkey_refused");
    return { intent: { challenge } };
  },
  async perform({ ctx, input, intent }) {
    const passkey = await findByCredential(ctx.db, input.credential_id);
    const party = relyingParty(ctx.runtime.env);
    if (!passkey || !party) return null;
    const { credential_id: credential, client_data: clientDataJSON, authenticator_data, signature } = input;
    const verified = await verifyAuthenticationResponse({
      response: {
        ...{ id: credential, rawId: credential, type: "public-key", clientExtensionResults: {} },
        response: { clientDataJSON, authenticatorData: authenticator_data, signature },
      },
      ...{ expectedChallenge: intent.challenge, expectedOrigin: party.origin, expectedRPID: party.id },
      credential: {
        ...{ id: passkey.credentialId, counter: passkey.counter },
        publicKey: Uint8Array.from(Buffer.from(passkey.publicKey, "base64url")),
      },
      requireUserVerification: true,
    }).catch(() => null);
    return verified?.verified ? { passkey, counter: verified.authenticationInfo.newCounter } : null;
  },
  async finish({ ctx, input, outcome, failAfterCommit }) {
    const user = outcome && (await lockUser(ctx.db, outcome.passkey.userId));
    // The passkey may have been removed, or used at the same time, since it was verified.
    const now = outcome && (await findByCredential(ctx.db, outcome.passkey.credentialId));
    const isRight = now && now.userId === user?.id && now.counter === outcome.passkey.counter;
    if (!isRight || user?.status !== "active" || (input.user_id !== undefined && input.user_id !== user.id)) {
      const { id: target = null, organizationId = null } = user ?? {};
      ctx.audit({ target, organizationId, isRefusal: true, detail: { outcome: "passkey_refused" } });
      return failAfterCommit("passkey_refused");
    }
    await letIn(ctx, user, { kind: "cookie" }, failAfterCommit);
    await notePasskeyUse(ctx.db, now.id, outcome.counter, ctx.now);
    return openDashboard(ctx, user, { passkey_id: now.id });
  },
});

/** Removes up to `limit` expired challenges; returns how many. */
export const removeOldChallenges = (runtime: Runtime, limit: number): Promise<number> =>
  runtime.db.write((tx) => deleteExpiredChallenges(tx, runtime.clock.now(), limit));
