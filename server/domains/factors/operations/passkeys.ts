// The passkeys of the calling user: add one in two calls, rename, remove.
import {
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import * as z from "zod";
import { dashboardUser } from "@/server/access/fresh";
import { rules } from "@/server/access/rules";
import { organizationById } from "@/server/domains/organizations/organization";
import { lockCaller } from "@/server/domains/users/caller";
import { findUser } from "@/server/domains/users/store";
import { id, name } from "@/server/kit/fields";
import { limits, minuteMs } from "@/server/kit/limits";
import { operation, saga } from "@/server/kit/operation";
import { factorAdded, factorRemoved } from "../change";
import { confirmedTotp } from "../code";
import {
  deleteChallengesOf,
  deletePasskey,
  insertChallenge,
  insertPasskey,
  listPasskeys,
  type PasskeyRow,
  setPasskeyName,
  takeChallenge,
} from "../passkey-store";
import { challengeIn, hashOf, registrationAnswer, relyingParty } from "../relying-party";
import { codesOutput } from "../schema";

const refusals = { reauthentication_required: 400, insufficient_permissions: 400 } as const;
const passkeyId = id("psk", "The passkey.");

export const setUpPasskey = saga({
  id: "factors.setUpPasskey",
  summary: "Begin to add a passkey",
  access: rules["factors.write"],
  input: z.strictObject({}),
  output: z.strictObject({ options: z.custom<Omit<PublicKeyCredentialCreationOptionsJSON, "extensions">>() }),
  errors: { ...refusals, passkeys_not_offered: 400, too_many_passkeys: 400 },
  idempotent: false,
  begin: async () => ({ intent: {} }),
  async perform({ ctx, fail }) {
    const { userId, organizationId } = dashboardUser(ctx.actor) ?? fail("insufficient_permissions");
    const party = relyingParty(ctx.runtime.env) ?? fail("passkeys_not_offered");
    const user = (await findUser(ctx.db, organizationId, userId)) ?? fail("insufficient_permissions");
    const known = await listPasskeys(ctx.db, userId);
    return generateRegistrationOptions({
      rpID: party.id,
      rpName: (await organizationById(ctx.db, organizationId)).name,
      userID: new TextEncoder().encode(userId),
      userName: user.email,
      userDisplayName: user.name ?? user.email,
      timeout: limits.passkeyChallengeMinutes * minuteMs,
      excludeCredentials: known.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
      // Discoverable, so that signing in needs no e-mail address; verified by PIN or biometrics, so it is two factors.
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
  },
  async finish({ ctx, outcome: options, fail }) {
    const user = await lockCaller(ctx, fail);
    if ((await listPasskeys(ctx.db, user.id)).length >= limits.passkeys.perUser) return fail("too_many_passkeys");
    await deleteChallengesOf(ctx.db, user.id);
    const expiresAt = ctx.now + limits.passkeyChallengeMinutes * minuteMs;
    await insertChallenge(ctx.db, {
      ...{ hash: hashOf(options.challenge), purpose: "register", userId: user.id, expiresAt },
    });
    ctx.audit({ target: user.id });
    return { options };
  },
});

export const addPasskey = saga({
  id: "factors.addPasskey",
  summary: "Add a passkey",
  access: rules["factors.write"],
  input: registrationAnswer.extend({ name }),
  output: codesOutput,
  errors: { ...refusals, passkey_refused: 400, too_many_passkeys: 400 },
  idempotent: false,
  async begin({ ctx, input, fail }) {
    const { userId } = dashboardUser(ctx.actor) ?? fail("insufficient_permissions");
    const challenge = challengeIn(input.client_data) ?? fail("passkey_refused");
    const row = await takeChallenge(ctx.db, hashOf(challenge), ctx.now);
    if (row?.purpose !== "register" || row.userId !== userId) return fail("passkey_refused");
    ctx.audit({ target: userId, detail: { outcome: "challenge_answered" } });
    return { intent: { challenge } };
  },
  async perform({ ctx, input, intent, fail }) {
    const party = relyingParty(ctx.runtime.env) ?? fail("passkey_refused");
    const { credential_id: credential, client_data: clientDataJSON, attestation: attestationObject } = input;
    const verified = await verifyRegistrationResponse({
      response: {
        ...{ id: credential, rawId: credential, type: "public-key", clientExtensionResults: {} },
        response: { clientDataJSON, attestationObject },
      },
      ...{ expectedChallenge: intent.challenge, expectedOrigin: party.origin, expectedRPID: party.id },
      requireUserVerification: true,
    }).catch(() => null);
    return verified?.registrationInfo ?? fail("passkey_refused");
  },
  async finish({ ctx, input, outcome: { credential, credentialDeviceType }, fail }) {
    const user = await lockCaller(ctx, fail);
    if ((await listPasskeys(ctx.db, user.id)).length >= limits.passkeys.perUser) return fail("too_many_passkeys");
    const row: PasskeyRow = {
      ...{ id: ctx.id("psk"), userId: user.id, credentialId: credential.id, counter: credential.counter },
      publicKey: Buffer.from(credential.publicKey).toString("base64url"),
      ...{ transports: input.transports, name: input.name, isSynced: credentialDeviceType === "multiDevice" },
      ...{ createdAt: ctx.now, lastUsedAt: null },
    };
    if (!(await insertPasskey(ctx.db, row))) return fail("passkey_refused");
    return { recovery_codes: await factorAdded(ctx, user, row.id) };
  },
});

export const renamePasskey = operation({
  id: "factors.renamePasskey",
  summary: "Rename a passkey",
  access: rules["factors.rename"],
  effect: "write",
  input: z.strictObject({ passkey_id: passkeyId, name }),
  output: z.strictObject({ passkey_id: z.string() }),
  errors: { insufficient_permissions: 400, passkey_not_found: 400 },
  async run({ ctx, input: { passkey_id, name }, fail }) {
    const user = await lockCaller(ctx, fail);
    if (!(await setPasskeyName(ctx.db, user.id, passkey_id, name))) return fail("passkey_not_found");
    ctx.audit({ target: user.id, detail: { passkey_id, fields: ["name"] } });
    return { passkey_id };
  },
});

export const removePasskey = operation({
  id: "factors.removePasskey",
  summary: "Remove a passkey",
  access: rules["factors.write"],
  effect: "write",
  input: z.strictObject({ passkey_id: passkeyId }),
  output: z.strictObject({ passkey_id: z.string() }),
  errors: { ...refusals, passkey_not_found: 400, last_factor: 400 },
  async run({ ctx, input: { passkey_id }, fail }) {
    const user = await lockCaller(ctx, fail);
    if (!(await deletePasskey(ctx.db, user.id, passkey_id))) return fail("passkey_not_found");
    const isLast = !(await confirmedTotp(ctx, user.id)) && (await listPasskeys(ctx.db, user.id)).length === 0;
    await factorRemoved(ctx, user, { factor: passkey_id, isLast }, fail);
    return { passkey_id };
  },
});
