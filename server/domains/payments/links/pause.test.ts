// A merchant pauses a reusable link: its page takes no payment and says so, and what is being paid goes on.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { auditEntries } from "@/db/tables";
import { eventTypesOf } from "@/test/events";
import { anyFailures, askMany, linkForm, payUse, sendUse } from "@/test/link-payer";
import { cancelRequest } from "@/test/merchant";
import { expectSoundLedger } from "@/test/money";
import { anyone, ask, card, formToken, goodCard, openPage, paymentRow, submit, tokenOf } from "@/test/payer";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { paymentActions } from "../operations/actions";
import { answerChallenge } from "../operations/challenge";
import { listPaymentRequests } from "../operations/list";
import { updatePaymentRequest } from "../operations/update";

let world: World;
let org: TestOrganization;
let link: { id: string; token: string };
beforeAll(async () => {
  world = await openWorld(anyFailures);
});
beforeEach(async () => {
  world.clock.advance(1000);
  org = await world.organization();
  const { payment, token } = await askMany(world, org.member.actor, { usage_limit: null });
  link = { id: payment.payment_id, token };
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

const change = (paused: boolean, payment_id = link.id) =>
  world.call(updatePaymentRequest, org.member.actor, { payment_id, paused });
const stateOf = async (token: string) => (await openPage(world, token)).state;

it("takes no payment while it is paused, also by a form that was open, and takes them again once it is resumed", async () => {
  const open = await linkForm(world, link.token);
  expect(await change(true)).toMatchObject({ paused: true, status: "pending" });
  expect(await openPage(world, link.token)).toMatchObject({ state: "link_paused", form_token: null });
  expect(await refusalOf(sendUse(world, open))).toBe("payment_not_payable");
  expect(await change(false)).toMatchObject({ paused: false });
  expect(await stateOf(link.token)).toBe("open");
  expect(await sendUse(world, open)).toMatchObject({ result: "submitted" });
});

it("holds for payers who were declined before, and not for a confirmation that is open", async () => {
  const declined = await payUse(world, link.token, { ...card("4000000000000002"), email: "declined@example.com" });
  const waiting = await payUse(world, link.token, card("4000002760003184"));
  const own = tokenOf(declined.payment_url);
  const form = await formToken(world, own);
  await change(true);
  expect(await stateOf(own)).toBe("link_paused");
  expect(await refusalOf(submit(world, own, form, goodCard))).toBe("payment_not_payable");
  const reference = waiting.action_url?.split("/").at(-1) ?? "";
  await world.call(answerChallenge, anyone, { reference, answer: "complete" });
  expect((await paymentRow(world, waiting.payment_id)).status).toBe("paid");
  await change(false);
  expect(await submit(world, own, form, goodCard)).toMatchObject({ result: "submitted" });
});

it("is recorded with its time, once however often it is said, and announced", async () => {
  await change(true);
  const { pausedAt } = await paymentRow(world, link.id);
  world.clock.advance(1000);
  await change(true);
  expect((await paymentRow(world, link.id)).pausedAt).toBe(pausedAt);
  expect(await eventTypesOf(world, link.id)).toEqual(["payment.created", "payment.updated"]);
  const entries = await world.runtime.db.read.select().from(auditEntries).where(eq(auditEntries.targetId, link.id));
  const details = entries.filter(({ operation }) => operation === "payments.update").map(({ detail }) => detail);
  expect(details).toMatchObject([{ fields: ["paused"], before: { paused_at: null } }, { fields: ["paused"] }]);
});

it("is for open reusable links only", async () => {
  const { payment } = await ask(world, org.member.actor);
  expect(await refusalOf(change(true, payment.payment_id))).toBe("payment_not_updatable");
  const draft = await askMany(world, org.member.actor, { usage_limit: null, draft: true });
  expect(await refusalOf(change(true, draft.payment.payment_id))).toBe("payment_not_updatable");
  const acts = async (payment_id: string) =>
    (await world.call(paymentActions, org.member.actor, { payment_id })).can_pause;
  expect([await acts(payment.payment_id), await acts(link.id)]).toEqual([false, true]);
  await change(true);
  await cancelRequest(world, org.member.actor, link.id);
  expect(await stateOf(link.token)).toBe("canceled");
  expect(await refusalOf(change(false))).toBe("payment_not_updatable");
  expect(await acts(link.id)).toBe(false);
});

it("and paying at the same time is either paid or refused", async () => {
  const form = await linkForm(world, link.token);
  const [, paid] = await Promise.allSettled([change(true), sendUse(world, form)]);
  const uses = (await paymentRow(world, link.id)).usesCount;
  expect(uses).toBe(paid?.status === "fulfilled" ? 1 : 0);
  expect(await stateOf(link.token)).toBe("link_paused");
});

it("is found by a filter while it is paused and could be used otherwise", async () => {
  const found = async (paused: boolean, { actor } = org.member) =>
    (await world.call(listPaymentRequests, actor, { paused })).data.map(({ payment_id }) => payment_id);
  expect([await found(true), await found(false)]).toEqual([[], [link.id]]);
  await change(true);
  for (const user of [org.member, org.admin])
    expect([await found(true, user), await found(false, user)]).toEqual([[link.id], []]);
  expect(await found(true, org.other)).toEqual([]);
  await cancelRequest(world, org.member.actor, link.id);
  expect([await found(true), await found(false)]).toEqual([[], [link.id]]);
});
