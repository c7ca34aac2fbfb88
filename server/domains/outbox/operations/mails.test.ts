// Mails about payments: sent on demand, at creation and as receipts, each once, within limits; listed and sent again.
import { eq, like } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { accounts, events, idempotencyKeys, mails, throttles, transactions, users } from "@/db/tables";
import { getAccount } from "@/server/domains/accounts/operations/get";
import { updateAccount } from "@/server/domains/accounts/operations/update";
import { cancelPayment } from "@/server/domains/payments/operations/cancel";
import { createPayment } from "@/server/domains/payments/operations/create";
import { refundPayment } from "@/server/domains/payments/operations/refund";
import { sendPayment } from "@/server/domains/payments/operations/send";
import { createTransaction } from "@/server/domains/transactions/operations/create";
import type { Actor } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import { runJobs } from "@/test/jobs";
import { bodiesOf, headerOf, type MailServer, refusal, startMailServer } from "@/test/mail-server";
import { mailNotice } from "@/test/mails";
import { payWith, tokenOf } from "@/test/payer";
import { newEmail } from "@/test/people";
import {
  anotherProcess,
  openedWith,
  openWorld,
  refusalOf,
  type TestOrganization,
  type TestUser,
  type World,
} from "@/test/world";
import { getMail } from "./get";
import { listMails } from "./list";
import { resendMail } from "./resend";
import { mailServer, sendTestMail } from "./server";

const hourMs = 3_600_000;

let server: MailServer;
let world: World;
let home: TestOrganization;
beforeAll(async () => {
  server = await startMailServer();
  world = await openWorld({ SMTP_URL: server.url, MAIL_FROM: "mail@example.com" });
  home = await world.organization("Acme");
});
afterEach(async () => {
  server.onRecipient = () => undefined;
  await runJobs(world);
  server.arrived = [];
});
afterAll(async () => {
  await world.close();
  await server.close();
});

const request = (email: string | null = newEmail(), more: Record<string, unknown> = {}) =>
  world.call(createPayment, home.member.actor, {
    ...{ type: "product", amount: 1250, currency: "EUR", description: "Two coffees", locale: "de" },
    ...(email === null ? {} : { customer: { name: "Grace", email } }),
    ...more,
  });

const mailsOf = async (payment_id: string) => (await world.call(listMails, home.admin.actor, { payment_id })).data;
const resetLimits = () => world.runtime.db.write(async (tx) => void (await tx.delete(throttles)));

describe("sending a payment request", () => {
  it("mails the pay link, in the request's language, from the account", async () => {
    const { payment_id, payment_url, account_id } = await request("grace@example.com");
    const message = "Danke!\nBis bald <b>";
    const sent = await world.call(sendPayment, home.member.actor, { payment_id, message });
    expect(sent).toMatchObject({
      kind: "payment_request",
      to: "grace@example.com",
      status: "queued",
      payment_id,
      account_id,
    });
    await runJobs(world);
    const [mail] = server.arrived;
    if (!mail || payment_url === null) throw new Error("Nothing arrived.");
    const account = await world.call(getAccount, home.member.actor, { account_id });
    expect(headerOf(mail, "From")).toBe(`${account.account_name} <mail@example.com>`);
    expect(headerOf(mail, "Reply-To")).toBe(account.email);
    const [text = "", html = ""] = bodiesOf(mail);
    for (const body of [text, html]) {
      expect(body).toContain(payment_url);
      expect(body).toContain("12,50\u00a0€");
      expect(body).toContain("Two coffees");
    }
    expect(text).toContain("> Danke!\r\n> Bis bald <b>");
    expect(html).toContain("Bis bald &lt;b&gt;");
    const stored = await world.call(getMail, home.member.actor, { mail_id: sent.mail_id });
    expect(stored.subject).toMatch(/^\[TEST\] .*12,50/);
    expect(`${stored.text}${stored.html}`).not.toContain(payment_url.split("/pay/")[1]);
  });

  it("needs an address, and something due", async () => {
    const { payment_id } = await request(null);
    const send = (input: object) => refusalOf(world.call(sendPayment, home.admin.actor, { payment_id, ...input }));
    expect(await send({})).toBe("invalid_request");
    await world.call(cancelPayment, home.member.actor, { payment_id });
    expect(await send({ to: newEmail() })).toBe("payment_not_payable");
    expect(await mailsOf(payment_id)).toEqual([]);
  });

  it("at creation happens once, also if the call is repeated or refused", async () => {
    const email = newEmail();
    const input = {
      type: "product" as const,
      amount: 1250,
      currency: "EUR",
      customer: { email },
      send: true,
      reference: email,
    };
    const create = (key: string) => world.call(createPayment, home.member.actor, input, { idempotencyKey: key });
    const { payment_id } = await create("first");
    expect((await create("first")).payment_id).toBe(payment_id);
    expect(await refusalOf(create("second"))).toBe("duplicate_reference");
    const { data } = await world.call(listMails, home.admin.actor, { q: email.toUpperCase().slice(0, -4) });
    expect(data).toMatchObject([{ payment_id, kind: "payment_request" }]);
    expect(await refusalOf(request(null, { send: true }))).toBe("invalid_request");
  });

  const offline = (payment_id: string, amount: number) =>
    world.call(createTransaction, home.member.actor, { type: "payment", payment_id, amount, currency: "EUR" });
  const endedQuietly = { status: "held", attempts: 0, last_error: "link_expired" };
  const failures = () => world.runtime.db.read.$count(events, eq(events.type, "mail.failed"));

  it("is not delivered once it is paid or canceled, which is no failure", async () => {
    const before = await failures();
    const ids = [await request(newEmail(), { send: true }), await request(newEmail(), { send: true })];
    const [canceled = "", paid = ""] = ids.map(({ payment_id }) => payment_id);
    await world.call(cancelPayment, home.member.actor, { payment_id: canceled });
    await offline(paid, 1250);
    await runJobs(world);
    expect(server.arrived.filter(({ raw }) => raw.includes("/pay/") && !raw.includes("/receipt"))).toEqual([]);
    for (const id of [canceled, paid]) expect(await mailsOf(id)).toContainEqual(expect.objectContaining(endedQuietly));
    expect(await failures()).toBe(before);
  });

  it("is neither delivered nor resent once another amount is due than it names", async () => {
    const requestsOf = async (id: string) => (await mailsOf(id)).filter(({ kind }) => kind === "payment_request");
    const queued = await request(newEmail(), { send: true });
    await offline(queued.payment_id, 1000);
    await runJobs(world);
    expect(await requestsOf(queued.payment_id)).toMatchObject([endedQuietly]);
    // Only the receipt of the part.
    expect(server.arrived).toHaveLength(1);
    const sent = await request(newEmail(), { send: true });
    await runJobs(world);
    await offline(sent.payment_id, 1000);
    const [mail] = await requestsOf(sent.payment_id);
    const resend = world.call(resendMail, home.member.actor, { mail_id: mail?.mail_id ?? "" });
    expect(await refusalOf(resend)).toBe("mail_not_resendable");
    expect((await world.call(sendPayment, home.member.actor, { payment_id: sent.payment_id })).subject).toContain(
      "2,50",
    );
    await runJobs(world);
    expect((await requestsOf(sent.payment_id)).map(({ status }) => status)).toEqual(["sent", "sent"]);
    // Both requests of the second one, and the receipts of both parts.
    expect(server.arrived).toHaveLength(4);
  });

  it("is not delivered while a payment of it is in progress", async () => {
    const { payment_id, payment_url } = await request(newEmail(), { send: true, capture_method: "manual" });
    await payWith(world, tokenOf(payment_url));
    expect(await refusalOf(world.call(sendPayment, home.member.actor, { payment_id }))).toBe("payment_processing");
    await runJobs(world);
    expect(await mailsOf(payment_id)).toMatchObject([endedQuietly]);
  });

  it("is refused, and not delivered, once the account has lost its owner", async () => {
    await resetLimits();
    const { payment_id, account_id } = await request(newEmail(), { send: true });
    const set = (change: Partial<typeof accounts.$inferInsert>) =>
      world.runtime.db.write((tx) => tx.update(accounts).set(change).where(eq(accounts.id, account_id)).then());
    await set({ ownerUserId: null, orphanedAt: world.clock.now() });
    try {
      const send = world.call(sendPayment, home.admin.actor, { payment_id });
      expect(await refusalOf(send)).toBe("payment_not_payable");
      const input = { type: "product", amount: 1250, currency: "EUR", customer: { email: newEmail() } } as const;
      const create = world.call(createPayment, home.admin.actor, { ...input, account_id, send: true });
      expect(await refusalOf(create)).toBe("payment_not_payable");
      await runJobs(world);
      expect(await mailsOf(payment_id)).toMatchObject([endedQuietly]);
    } finally {
      await set({ ownerUserId: home.member.id, orphanedAt: null });
    }
  });

  it("is limited per request, and the refusal writes nothing", async () => {
    await resetLimits();
    const { payment_id } = await request();
    const send = () => world.call(sendPayment, home.member.actor, { payment_id });
    for (let i = 0; i < limits.mail.perRequest; i++) await send();
    expect(await refusalOf(send())).toBe("rate_limited");
    expect(await mailsOf(payment_id)).toHaveLength(limits.mail.perRequest);
    world.clock.advance(24 * hourMs);
    expect((await send()).status).toBe("queued");
  });

  it("is limited per mailbox, however its address is written, and one member leaves room for the others", async () => {
    await resetLimits();
    const [name, domain] = newEmail().split("@");
    const spellings = [`${name}@${domain}`, `${name}+a@${domain}`, `${name?.toUpperCase()}+b+c@${domain}`];
    const created = await Promise.all(Array.from({ length: 8 }, (_, i) => request(spellings[i % 3] ?? null)));
    const sentBy = async (user: TestUser) => {
      const calls = created.map(({ payment_id }) => world.call(sendPayment, user.actor, { payment_id }));
      const outcomes = await Promise.allSettled(calls);
      return outcomes.filter(({ status }) => status === "fulfilled").length;
    };
    expect(await sentBy(home.member)).toBe(limits.mail.perRecipientOfMember);
    expect(await sentBy(home.admin)).toBe(limits.mail.perRecipient - limits.mail.perRecipientOfMember);
  });
});

describe("the hourly limits", () => {
  // Who sends for whose account: the admin and the member for the member's, the admin and the other for the other's.
  it.each([
    { of: "account", most: 200, refused: [true, true, false, false] },
    { of: "user", most: 500, refused: [true, false, true, false] },
    { of: "organization", most: 1_000, refused: [true, true, true, true] },
  ])("of mails per $of are $most, across processes and restarts", async ({ of, most, refused }) => {
    await resetLimits();
    const { admin, member, other } = home;
    const send = async (by: TestUser, owner: TestUser, in_ = world) => {
      const input = { type: "product", amount: 100, currency: "EUR", customer: { email: newEmail() } } as const;
      const account_id = owner.accountId;
      return in_.call(createPayment, by.actor, { ...input, account_id, send: true });
    };
    await send(admin, member);
    const counters = like(throttles.bucket, `mail_${of}:%`);
    const almost = { count: most - 1 };
    await world.runtime.db.write((tx) => tx.update(throttles).set(almost).where(counters).then());
    await send(admin, member);
    const restarted = await anotherProcess(world);
    try {
      const pairs = [
        [admin, member] as const,
        [member, member] as const,
        [admin, other] as const,
        [other, other] as const,
      ];
      for (const [i, [by, owner]] of pairs.entries()) {
        const sent = send(by, owner, restarted);
        if (refused[i]) expect(await refusalOf(sent)).toBe("rate_limited");
        else await sent;
      }
      world.clock.advance(hourMs);
      await send(admin, member, restarted);
    } finally {
      await restarted.close();
    }
  });
});

describe("receipts", () => {
  const kindsOf = async (payment_id: string) => (await mailsOf(payment_id)).map(({ kind }) => kind);

  it("go out once when a payment request is paid and when money is refunded", async () => {
    await resetLimits();
    const { payment_id, payment_url } = await request();
    await payWith(world, tokenOf(payment_url));
    expect(await kindsOf(payment_id)).toEqual(["payment_receipt"]);
    world.clock.advance(1);
    await world.call(refundPayment, home.member.actor, { payment_id, amount: 250 });
    await runJobs(world);
    expect(await kindsOf(payment_id)).toEqual(["refund_receipt", "payment_receipt"]);
    const texts = server.arrived.map((mail) => bodiesOf(mail)[0] ?? "");
    expect(texts).toHaveLength(2);
    for (const text of texts) expect(text).toContain(`${payment_url}/receipt`);
    expect(texts.find((text) => text.includes("12,50"))).toContain("Vielen Dank");
    expect(texts.find((text) => text.includes("2,50\u00a0€") && text.includes("erstattet"))).toBeDefined();
  });

  it("of a refund without a payment request have no link", async () => {
    await resetLimits();
    const email = newEmail();
    const money = { amount: 500, currency: "EUR" };
    const { transaction_id } = await world.call(createTransaction, home.member.actor, {
      ...{ type: "payment", ...money, customer: { email } },
    });
    await world.call(createTransaction, home.member.actor, { type: "refund", parent_transaction_id: transaction_id });
    await runJobs(world);
    const { data } = await world.call(listMails, home.admin.actor, { q: email });
    expect(data).toMatchObject([{ kind: "refund_receipt", payment_id: null, status: "sent" }]);
    expect(server.arrived[0]?.raw).not.toContain("link.invalid");
  });

  it("go out for each part, also when the rest is paid after a part was refunded", async () => {
    await resetLimits();
    const { payment_id } = await request();
    const part = { type: "payment", payment_id, currency: "EUR", customer: { email: newEmail() } } as const;
    const first = await world.call(createTransaction, home.member.actor, { ...part, amount: 1000 });
    const refund = { type: "refund", parent_transaction_id: first.transaction_id, amount: 100 } as const;
    await world.call(createTransaction, home.member.actor, refund);
    expect((await kindsOf(payment_id)).sort()).toEqual(["payment_receipt", "refund_receipt"]);
    await world.call(createTransaction, home.member.actor, { ...part, amount: 250 });
    expect((await kindsOf(payment_id)).sort()).toEqual(["payment_receipt", "payment_receipt", "refund_receipt"]);
  });

  it.each(["with", "without"])("of a refund %s a payment request are not sent once it has failed", async (kind) => {
    await resetLimits();
    const email = newEmail();
    const payment_id = kind === "with" ? (await request(email)).payment_id : null;
    const paid = await world.call(createTransaction, home.member.actor, {
      ...{ type: "payment", amount: 1250, currency: "EUR", customer: { email } },
      ...(payment_id === null ? {} : { payment_id }),
    });
    const refund = { type: "refund", parent_transaction_id: paid.transaction_id, amount: 100 } as const;
    const refundMails = async () =>
      (await world.call(listMails, home.admin.actor, { q: email, kind: ["refund_receipt"] })).data;
    const fail = (id: string) =>
      world.runtime.db.write((tx) =>
        tx.update(transactions).set({ status: "failed" }).where(eq(transactions.id, id)).then(),
      );
    const first = await world.call(createTransaction, home.member.actor, refund);
    await runJobs(world);
    const [sent] = await refundMails();
    expect(sent?.status).toBe("sent");
    await fail(first.transaction_id);
    const resend = world.call(resendMail, home.member.actor, { mail_id: sent?.mail_id ?? "" });
    expect(await refusalOf(resend)).toBe("mail_not_resendable");
    await fail((await world.call(createTransaction, home.member.actor, refund)).transaction_id);
    await runJobs(world);
    expect(await refundMails()).toContainEqual(expect.objectContaining({ status: "held", last_error: "link_expired" }));
  });

  it("do not go out for an account or a caller whose e-mail address is not verified", async () => {
    const verify = (emailVerifiedAt: number | null) =>
      world.runtime.db.write((tx) =>
        tx.update(users).set({ emailVerifiedAt }).where(eq(users.id, home.member.id)).then(),
      );
    const { payment_id, payment_url } = await request();
    await verify(null);
    await payWith(world, tokenOf(payment_url));
    await verify(world.clock.now());
    const unverified = { ...home.member.actor, hasUnverifiedEmail: true } as Actor;
    await world.call(refundPayment, unverified, { payment_id, amount: 250 });
    expect(await kindsOf(payment_id)).toEqual([]);
    await world.call(refundPayment, home.member.actor, { payment_id, amount: 250 });
    expect(await kindsOf(payment_id)).toEqual(["refund_receipt"]);
  });

  it("follow the account's notifications", async () => {
    const off = { payment_receipt: false, refund_receipt: false };
    await world.call(updateAccount, home.member.actor, { preferences: { notifications: off } });
    const { payment_id } = await request();
    const payment = { type: "payment" as const, payment_id, amount: 1250, currency: "EUR" };
    await world.call(createTransaction, home.member.actor, payment);
    await world.call(refundPayment, home.member.actor, { payment_id });
    expect(await kindsOf(payment_id)).toEqual([]);
    const on = { payment_receipt: null, refund_receipt: null };
    await world.call(updateAccount, home.member.actor, { preferences: { notifications: on } });
  });
});

describe("resending", () => {
  it("sends a failed mail again with a new series of tries, and is refused while it is on its way", async () => {
    await resetLimits();
    server.onRecipient = () => {
      throw refusal(550, "5.1.1 No such user");
    };
    const { payment_id } = await request(newEmail(), { send: true });
    await runJobs(world);
    const [failed] = await mailsOf(payment_id);
    if (!failed) throw new Error("No mail was written.");
    expect(failed).toMatchObject({ status: "failed", attempts: 1, last_error: "550 5.1.1 No such user" });
    // What the server says is for those who can act on it.
    const viewer = await world.user(home.id, "viewer");
    for (const { actor } of [home.member, viewer]) {
      const { last_error } = await world.call(getMail, actor, { mail_id: failed?.mail_id ?? "" });
      expect(last_error).toBe("not_delivered");
    }
    server.onRecipient = () => undefined;
    const resend = () => world.call(resendMail, home.member.actor, { mail_id: failed.mail_id });
    const outcomes = await Promise.allSettled([resend(), resend()]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await refusalOf(resend())).toBe("mail_not_resendable");
    await runJobs(world);
    expect(await mailsOf(payment_id)).toMatchObject([{ status: "sent", attempts: 1, last_error: null }]);
    expect(server.arrived).toHaveLength(1);
  });

  it("sends a held mail once a server is set up, and not without one", async () => {
    await resetLimits();
    const without = openedWith(world, { ...world.runtime, env: { ...world.runtime.env, mail: null } });
    const email = newEmail();
    const { payment_id } = await without.call(createPayment, home.member.actor, {
      ...{ type: "product", amount: 100, currency: "EUR", customer: { email }, send: true },
    });
    const [held] = await mailsOf(payment_id);
    expect(held?.status).toBe("held");
    const input = { mail_id: held?.mail_id ?? "" };
    expect(await refusalOf(without.call(resendMail, home.member.actor, input))).toBe("mail_not_resendable");
    await world.call(resendMail, home.member.actor, input);
    await runJobs(world);
    expect(server.arrived.map(({ to }) => to)).toEqual([[email]]);
  });

  it("is replayed with the recipient, which is not stored with the Idempotency-Key", async () => {
    await resetLimits();
    const to = `replayed-${newEmail()}`;
    const { payment_id } = await request(newEmail());
    const send = () =>
      world.call(sendPayment, home.admin.actor, { payment_id, to }, { idempotencyKey: `send-${payment_id}` });
    const sent = await send();
    expect(sent.to).toBe(to);
    expect(await send()).toEqual(sent);
    await runJobs(world);
    const resend = () =>
      world.call(resendMail, home.admin.actor, { mail_id: sent.mail_id }, { idempotencyKey: `again-${payment_id}` });
    expect(await resend()).toEqual(await resend());
    expect(JSON.stringify(await world.runtime.db.read.select().from(idempotencyKeys))).not.toContain("replayed-");
  });

  it("is refused once the bodies are gone or the link is no longer valid, and for notices", async () => {
    await resetLimits();
    const { payment_id } = await request(newEmail(), { send: true });
    await runJobs(world);
    const [sent] = await mailsOf(payment_id);
    const input = { mail_id: sent?.mail_id ?? "" };
    const set = (text: string | null) =>
      world.runtime.db.write((tx) => tx.update(mails).set({ text }).where(eq(mails.id, input.mail_id)).then());
    await set(null);
    expect(await refusalOf(world.call(resendMail, home.admin.actor, input))).toBe("mail_not_resendable");
    await set("Hello");
    await world.call(cancelPayment, home.member.actor, { payment_id });
    expect(await refusalOf(world.call(resendMail, home.admin.actor, input))).toBe("mail_not_resendable");
    const notice = await mailNotice(world, home.id);
    await runJobs(world);
    expect(await refusalOf(world.call(resendMail, home.admin.actor, { mail_id: notice.id }))).toBe(
      "mail_not_resendable",
    );
  });
});

describe("the list", () => {
  it("pages through mails and filters by status, kind, account and the beginning of the address", async () => {
    await resetLimits();
    const before = Date.now();
    const emails = [`list-${before}-a@example.com`, `list-${before}-b@example.com`, `other-${before}@example.com`];
    for (const email of emails) {
      await request(email, { send: true });
      world.clock.advance(1);
    }
    const list = (query: object) => world.call(listMails, home.admin.actor, query);
    const q = `LIST-${before}`;
    const first = await list({ q, limit: 1, include_total: true });
    expect([first.total_count, first.data[0]?.to]).toEqual([2, emails[1]]);
    const second = await list({ q, limit: 1, cursor: first.next_cursor ?? "" });
    expect(second).toMatchObject({ data: [{ to: emails[0] }], has_more: false });
    expect(await refusalOf(list({ q: "x", cursor: first.next_cursor ?? "" }))).toBe("invalid_cursor");
    expect((await list({ q, status: ["failed", "held"] })).data).toEqual([]);
    expect((await list({ q, status: ["queued"], kind: ["payment_request"] })).data).toHaveLength(2);
    expect((await list({ q, kind: ["payment_receipt"] })).data).toEqual([]);
    expect((await list({ q, account_id: home.member.accountId })).data).toHaveLength(2);
    expect((await list({ q, account_id: home.other.accountId })).data).toEqual([]);
    const [{ created_at: newest } = { created_at: "" }] = first.data;
    expect((await list({ q, created_from: newest })).data).toHaveLength(1);
    expect((await list({ q, created_to: newest })).data).toHaveLength(1);
    expect((await world.call(listMails, home.member.actor, { q: emails[2] })).data).toHaveLength(1);
    expect((await world.call(listMails, home.other.actor, { q })).data).toEqual([]);
  });
});

describe("the settings", () => {
  it("show the server without its password, and a test mail says what it answered", async () => {
    const { server: shown } = await world.call(mailServer, home.admin.actor, {});
    expect(shown).toEqual({
      ...{ host: "127.0.0.1", port: server.port, is_secure: false, has_login: false },
      ...{ from_name: null, from_address: "mail@example.com" },
    });
    const accepted = await world.call(sendTestMail, home.admin.actor, {});
    expect(accepted).toMatchObject({ to: home.admin.email, is_sent: true, answer: expect.stringMatching(/^250/) });
    expect(server.arrived.map(({ to }) => to)).toEqual([[home.admin.email]]);
    server.onRecipient = () => {
      throw refusal(554, "5.7.1 Relaying denied");
    };
    const refused = await world.call(sendTestMail, home.admin.actor, {});
    expect(refused).toMatchObject({ is_sent: false, answer: "554 5.7.1 Relaying denied" });
  });

  it("limit test mails", async () => {
    await resetLimits();
    server.onRecipient = () => {
      throw refusal(554, "no");
    };
    for (let i = 0; i < limits.mail.testsPerHour; i++) await world.call(sendTestMail, home.admin.actor, {});
    expect(await refusalOf(world.call(sendTestMail, home.admin.actor, {}))).toBe("rate_limited");
  });
});
