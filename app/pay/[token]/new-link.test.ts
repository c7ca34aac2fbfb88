// "Ask for a new link" on the page of an expired payment request: it tells the account, at most once a day.
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { auditEntries, mails, users } from "@/db/tables";
import { overviewAttention } from "@/server/domains/overview/operations/attention";
import { cancelPayment } from "@/server/domains/payments/operations/cancel";
import { dismissLinkRequest } from "@/server/domains/payments/operations/dismiss-link-request";
import { duplicatePayment } from "@/server/domains/payments/operations/duplicate";
import { extendPayment } from "@/server/domains/payments/operations/extend";
import { listPaymentRequests } from "@/server/domains/payments/operations/list";
import { requestLink } from "@/server/domains/payments/operations/request-link";
import { updatePaymentRequest } from "@/server/domains/payments/operations/update";
import type { Actor } from "@/server/kit/context";
import { hourMs, limits } from "@/server/kit/limits";
import { atOnce } from "@/test/at-once";
import { closeAccountOf } from "@/test/closing";
import { eventTypesOf } from "@/test/events";
import { browser, openPayPages, type PayPages } from "@/test/pay-page";
import { anyone, ask } from "@/test/payer";
import { refusalOf } from "@/test/world";

let pages: PayPages;
beforeAll(async () => {
  pages = await openPayPages();
});
beforeEach(() => pages.world.clock.advance(1000));
afterAll(() => pages.world.close());

const customer = { name: "Grace Hopper", email: "grace@example.com" };
/** There is no mail server. */
const asked = "Your request is recorded for";
const submit = "Ask for a new link";

/** A payment request that has expired. Its expiry job has not run yet. */
async function expired() {
  const made = await pages.newRequest({ description: "Wedding cake", customer });
  pages.world.clock.advance(Date.parse(made.payment.expires_at ?? "") - pages.world.clock.now());
  return { ...made, id: made.payment.payment_id };
}

const mailsAbout = (paymentId: string) =>
  pages.world.runtime.db.read
    .select()
    .from(mails)
    .where(and(eq(mails.paymentId, paymentId), eq(mails.kind, "link_request")));

const requestsOf = async (id: string) =>
  (await eventTypesOf(pages.world, id)).filter((type) => type === "payment.link_requested").length;

const extend = (payment_id: string, ms: number) =>
  pages.world.call(extendPayment, pages.acme.member.actor, {
    payment_id,
    expires_at: new Date(pages.world.clock.now() + ms).toISOString(),
  });

describe("a request for a new link", () => {
  it("mails the account what it is about, with a reply to the customer", async () => {
    const { id, token } = await expired();
    expect((await pages.read(token)).text).toContain(submit);
    const answer = await pages.ask(token);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `/pay/${token}`]);
    const page = await pages.read(token);
    expect(page.text).toContain(asked);
    expect(page.text).not.toContain(submit);
    const [mail, ...others] = await mailsAbout(id);
    expect(others).toEqual([]);
    const { email } = pages.acme.member;
    expect(mail).toMatchObject({ toAddress: email, replyTo: customer.email, status: "held", isAutomatic: true });
    for (const text of ["Grace Hopper", "Wedding cake", "€12.50"]) expect(mail?.text).toContain(text);
    expect(await eventTypesOf(pages.world, id)).toEqual([
      "payment.created",
      "payment.expired",
      "payment.link_requested",
    ]);
  });

  it("is passed on once a day, however often and at the same time it is made", async () => {
    const { id, token } = await expired();
    const form_token = await pages.formOf(token);
    await Promise.all(Array.from({ length: 8 }, () => pages.post(token, { act: "ask", form_token })));
    expect(await requestsOf(id)).toBe(1);
    pages.world.clock.advance(23 * hourMs);
    await pages.post(token, { act: "ask", form_token });
    expect(await requestsOf(id)).toBe(1);
    expect((await pages.read(token)).text).toContain(asked);
    pages.world.clock.advance(hourMs);
    await pages.ask(token);
    expect(await requestsOf(id)).toBe(2);
    expect(await mailsAbout(id)).toHaveLength(2);
  });

  it("is not made by a request that did not expire, and the page shows why", async () => {
    const other = await expired();
    const { token } = await pages.newRequest();
    const form_token = await pages.formOf(other.token);
    await extend(other.id, hourMs);
    expect((await pages.post(other.token, { act: "ask", form_token })).status).toBe(303);
    expect((await pages.read(other.token)).text).toContain('name="card_number"');
    expect(await requestsOf(other.id)).toBe(0);
    await pages.world.call(cancelPayment, pages.acme.member.actor, { payment_id: other.id });
    await pages.post(other.token, { act: "ask", form_token });
    expect(await requestsOf(other.id)).toBe(0);
    expect((await pages.read(token)).text).not.toContain(submit);
  });

  it("is possible again once the account has extended it and it has expired again", async () => {
    const { id, token } = await expired();
    await pages.ask(token);
    await extend(id, hourMs);
    pages.world.clock.advance(hourMs);
    expect((await pages.read(token)).text).toContain(submit);
    await pages.ask(token);
    expect(await requestsOf(id)).toBe(2);
  });

  it("is possible after an authorization that lapsed, because the account can extend it", async () => {
    const { payment, token } = await pages.newRequest({ capture_method: "manual" });
    await pages.pay(token);
    pages.world.clock.advance(30 * 24 * hourMs);
    expect((await pages.read(token)).text).toContain(submit);
    await pages.ask(token);
    expect(await requestsOf(payment.payment_id)).toBe(1);
  });

  it("cannot be made without the page, and an address makes few of them, so that few records remain", async () => {
    const { id, token } = await expired();
    const bare = pages.world.call(requestLink, anyone, { token, form_token: "x" });
    await expect(bare).rejects.toMatchObject({ code: "form_expired" });
    const form_token = await pages.formOf(token);
    const ask = () => pages.world.call(requestLink, anyone, { token, form_token });
    for (let time = 0; time < limits.payFormsPerHour; time++) await ask();
    await expect(ask()).rejects.toMatchObject({ code: "rate_limited" });
    expect(await requestsOf(id)).toBe(1);
  });

  it("names nobody any more once it is addressed to another customer", async () => {
    const { id, token } = await expired();
    await pages.ask(token);
    await extend(id, hourMs);
    await pages.world.call(updatePaymentRequest, pages.acme.member.actor, {
      payment_id: id,
      customer: { name: "Ada Lovelace", email: "ada@example.com" },
    });
    const [mail] = await mailsAbout(id);
    expect(JSON.stringify(mail)).not.toMatch(/grace/i);
    expect(mail).toMatchObject({ text: null, html: null, subject: "" });
  });

  it("needs the page's own form token, and comes from no other site", async () => {
    const { id, token } = await expired();
    const other = await expired();
    const foreign = await pages.formOf(other.token);
    for (const form_token of ["", "x", foreign]) {
      expect((await pages.post(token, { act: "ask", form_token })).status).toBe(303);
    }
    expect((await pages.ask(token, { "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect(await requestsOf(id)).toBe(0);
    const unknown = await pages.post("unknown", { act: "ask", form_token: foreign }, browser);
    expect(unknown.status).toBe(404);
  });
});

it("a request for a new link whose account gets no mail is said to be recorded, and is on Home", async () => {
  const { world, acme } = pages;
  const owner = eq(users.id, acme.other.id);
  const verify = (emailVerifiedAt: number | null) =>
    world.runtime.db.write(async (tx) => void (await tx.update(users).set({ emailVerifiedAt }).where(owner)));
  const { payment, token } = await ask(world, acme.other.actor);
  await verify(null);
  world.clock.advance(Date.parse(payment.expires_at ?? "") - world.clock.now());
  const attention = () => world.call(overviewAttention, acme.other.actor, {});
  expect(await attention()).toMatchObject({ link_requests: 0 });
  await pages.ask(token);
  expect(await mailsAbout(payment.payment_id)).toEqual([]);
  expect((await pages.read(token)).text).toContain(asked);
  expect(await attention()).toMatchObject({ link_requests: 1 });
  const list = async (actor: Actor) =>
    (await world.call(listPaymentRequests, actor, { link_requested: true })).data.map(({ payment_id: id }) => id);
  expect(await list(acme.other.actor)).toEqual([payment.payment_id]);
  expect(await list(acme.member.actor)).not.toContain(payment.payment_id);
  expect(await list(acme.admin.actor)).toContain(payment.payment_id);
  await verify(world.clock.now());
  const { payment_id } = payment;
  const expires_at = new Date(world.clock.now() + hourMs).toISOString();
  await world.call(extendPayment, acme.other.actor, { payment_id, expires_at });
  expect(await attention()).toMatchObject({ link_requests: 0 });
  world.clock.advance(hourMs);
  expect(await attention()).toMatchObject({ link_requests: 0 });
  await pages.ask(token);
  expect(await attention()).toMatchObject({ link_requests: 1 });
  world.clock.advance(limits.attentionMs);
  expect(await attention()).toMatchObject({ link_requests: 0 });
});

it.each([0, 1, 2, 3])("a request for a new link and an extension at once: the link can be paid (%i)", async (round) => {
  const { id, token } = await expired();
  const form_token = await pages.formOf(token);
  const answers = await atOnce(
    round,
    () => pages.post(token, { act: "ask", form_token }),
    () => extend(id, hourMs),
  );
  expect(answers).toEqual(["done", "done"]);
  expect((await pages.read(token)).text).toContain('name="card_number"');
  expect(await mailsAbout(id)).toHaveLength(await requestsOf(id));
});

it("a request for a new link leaves Home once the payment request is duplicated, until it is made again", async () => {
  const { world, acme } = pages;
  const { actor } = acme.member;
  const isListed = async (id: string) =>
    (await world.call(listPaymentRequests, actor, { link_requested: true })).data.some((one) => one.payment_id === id);
  const { id, token } = await expired();
  await pages.ask(token);
  expect(await isListed(id)).toBe(true);
  await world.call(duplicatePayment, actor, { payment_id: id });
  expect(await isListed(id)).toBe(false);
  world.clock.advance(24 * hourMs);
  await pages.ask(token);
  expect(await isListed(id)).toBe(true);
});

it("a request for a new link leaves Home once an admin says that it is done, until it is made again", async () => {
  const { world, acme } = pages;
  const { id, token } = await expired();
  const isListed = async () =>
    (await world.call(listPaymentRequests, acme.admin.actor, { link_requested: true })).data.some(
      (one) => one.payment_id === id,
    );
  const dismiss = (actor: Actor) => world.call(dismissLinkRequest, actor, { payment_id: id });
  expect(await dismiss(acme.admin.actor)).toMatchObject({ dismissed: false });
  await pages.ask(token);
  expect(await isListed()).toBe(true);
  expect(await refusalOf(dismiss(acme.member.actor))).toBe("insufficient_permissions");
  expect(await dismiss(acme.admin.actor)).toMatchObject({ dismissed: true });
  expect(await dismiss(acme.admin.actor)).toMatchObject({ dismissed: false });
  expect(await isListed()).toBe(false);
  const entries = await world.runtime.db.read
    .select({ detail: auditEntries.detail })
    .from(auditEntries)
    .where(and(eq(auditEntries.targetId, id), eq(auditEntries.operation, "payments.dismissLinkRequest")));
  expect(entries.map(({ detail }) => detail)).toContainEqual({ dismissed: true });
  // Within a day, asking again changes nothing; after that it is a new request.
  await pages.ask(token);
  expect(await isListed()).toBe(false);
  world.clock.advance(24 * hourMs);
  await pages.ask(token);
  expect(await isListed()).toBe(true);
});

// Last, because it closes the account.
it("a request for a new link is not offered once the account is closed", async () => {
  const { id, token } = await expired();
  const form_token = await pages.formOf(token);
  await closeAccountOf(pages.world, pages.acme.admin.actor, pages.acme.member.accountId);
  await pages.post(token, { act: "ask", form_token });
  expect(await requestsOf(id)).toBe(0);
  expect((await pages.read(token)).text).not.toContain(submit);
});

// At the very end, because the pages are those of another server from now on.
it("a request for a new link is said to have told the account while its own mail does so, and not once it has failed", async () => {
  const told = await openPayPages({ SMTP_URL: "smtp://127.0.0.1:9", MAIL_FROM: "pay@example.com" });
  const { payment, token } = await told.newRequest();
  told.world.clock.advance(Date.parse(payment.expires_at ?? "") - told.world.clock.now());
  await told.ask(token);
  const { text } = await told.read(token);
  expect(text).toContain("We have told");
  expect(text).not.toContain(asked);
  const { db } = told.world.runtime;
  await db.write(async (tx) => void (await tx.update(mails).set({ status: "failed" })));
  expect((await told.read(token)).text).toContain(asked);
  // An earlier mail says nothing of a request of which none was sent.
  await db.write(async (tx) => {
    await tx.update(mails).set({ status: "sent" });
    await tx.update(users).set({ emailVerifiedAt: null });
  });
  told.world.clock.advance(24 * hourMs);
  await told.ask(token);
  expect((await told.read(token)).text).toContain(asked);
  await told.world.close();
});
