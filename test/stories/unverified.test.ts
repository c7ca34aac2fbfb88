// What users may not do before they verify their e-mail address: send mail, create API keys, and in live mode move
// money.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { mails, organizations, users } from "@/db/tables";
import { createApiKey } from "@/server/domains/api-keys/operations/create";
import { revokeApiKey } from "@/server/domains/api-keys/operations/revoke";
import { createInvitation } from "@/server/domains/invitations/operations/create";
import { resendInvitation } from "@/server/domains/invitations/operations/resend";
import { createUser } from "@/server/domains/onboarding/operations/create-user";
import { sendTestMail } from "@/server/domains/outbox/operations/server";
import { capturePayment } from "@/server/domains/payments/operations/capture";
import { createPayment } from "@/server/domains/payments/operations/create";
import { refundPayment } from "@/server/domains/payments/operations/refund";
import { sendPayment } from "@/server/domains/payments/operations/send";
import { sendReset } from "@/server/domains/sessions/operations/request-reset";
import { createTransaction } from "@/server/domains/transactions/operations/create";
import type { Actor } from "@/server/kit/context";
import { newEmail } from "@/test/people";
import { bearer, callWith, signInAs } from "@/test/signing-in";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";

let world: World;
let org: TestOrganization;
let token: string;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  org = await world.organization();
  token = (await signInAs(world, org.member)).access_token;
});

const setVerified = (emailVerifiedAt: number | null) =>
  world.runtime.db.write(async (tx) => {
    await tx.update(users).set({ emailVerifiedAt }).where(eq(users.id, org.member.id));
  });
const goLive = () =>
  world.runtime.db.write(async (tx) => {
    await tx.update(organizations).set({ mode: "live" }).where(eq(organizations.id, org.id));
  });
const call: <T extends Parameters<typeof callWith>[1]>(operation: T, input: unknown) => Promise<unknown> = (
  operation,
  input,
) => callWith(world, operation, bearer(token), input as never);
const ticket = { type: "product", amount: 1250, currency: "EUR", description: "Ticket" };

it("an unverified user sends no mail, and counts as verified from the next call on", async () => {
  await setVerified(null);
  const customer = { name: "Grace", email: newEmail() };
  const { payment_id } = (await call(createPayment, { ...ticket, customer })) as { payment_id: string };
  expect(await refusalOf(call(createPayment, { ...ticket, customer, send: true }))).toBe("email_not_verified");
  expect(await refusalOf(call(sendPayment, { payment_id }))).toBe("email_not_verified");
  await setVerified(world.clock.now());
  await call(sendPayment, { payment_id });
});

it("an unverified admin invites nobody, in any role", async () => {
  const admin = { ...org.admin.actor, hasUnverifiedEmail: true } as Actor;
  for (const role of ["member", "operator"] as const) {
    const invite = world.call(createInvitation, admin, { email: newEmail(), role });
    expect(await refusalOf(invite)).toBe("email_not_verified");
  }
  const { invitation_id } = await world.call(createInvitation, org.admin.actor, { email: newEmail(), role: "member" });
  expect(await refusalOf(world.call(resendInvitation, admin, { invitation_id }))).toBe("email_not_verified");
});

it("an unverified admin sends no test mail and no link that resets a password", async () => {
  const admin = { ...org.admin.actor, hasUnverifiedEmail: true } as Actor;
  expect(await refusalOf(world.call(sendTestMail, admin, {}))).toBe("email_not_verified");
  expect(await refusalOf(world.call(sendReset, admin, { user_id: org.member.id }))).toBe("email_not_verified");
});

it("an unverified admin creates no API key, which could do what the admin may not", async () => {
  const admin = { ...org.admin.actor, hasUnverifiedEmail: true } as Actor;
  const create = world.call(createApiKey, admin, { name: "Till", scopes: ["mails:write"] });
  expect(await refusalOf(create)).toBe("email_not_verified");
});

it("an unverified admin revokes an API key", async () => {
  const key = await world.call(createApiKey, org.admin.actor, { name: "Till", scopes: ["mails:write"] });
  const admin = { ...org.admin.actor, hasUnverifiedEmail: true } as Actor;
  const { revoked_at } = await world.call(revokeApiKey, admin, { api_key_id: key.api_key_id });
  expect(revoked_at).not.toBeNull();
});

it("in a live organization, an unverified user cannot request payments or move money", async () => {
  const { payment_id } = (await call(createPayment, ticket)) as { payment_id: string };
  await goLive();
  await setVerified(null);
  const transfer = { type: "transfer", amount: 1, currency: "EUR", destination_account_id: org.other.accountId };
  expect(await refusalOf(call(createPayment, ticket))).toBe("email_not_verified");
  expect(await refusalOf(call(createTransaction, transfer))).toBe("email_not_verified");
  expect(await refusalOf(call(capturePayment, { payment_id }))).toBe("email_not_verified");
  expect(await refusalOf(call(refundPayment, { payment_id }))).toBe("email_not_verified");
  await setVerified(world.clock.now());
  expect(await refusalOf(call(refundPayment, { payment_id }))).not.toBe("email_not_verified");
});

it("a new user gets a verification mail", async () => {
  const email = newEmail();
  const input = { email, password: "an entirely new passphrase", role: "operator" } as const;
  const { user_id, email_verified_at } = await world.call(createUser, org.admin.actor, input);
  expect(email_verified_at).toBeNull();
  const rows = await world.runtime.db.read.select().from(mails).where(eq(mails.userId, user_id));
  expect(rows).toMatchObject([{ kind: "verify_email", toAddress: email, status: "held" }]);
});
