// Mails are sent through a real SMTP server: at once, later, or not at all, and never twice with different Message-IDs.
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { auditEntries, events, jobs, mails, throttles } from "@/db/tables";
import { limits } from "@/server/kit/limits";
import { parseEnv } from "@/server/process/env";
import { runJobs } from "@/test/jobs";
import { bodiesOf, headerOf, headersOf, type MailServer, refusal, startMailServer } from "@/test/mail-server";
import { openedWith, openWorld, type TestOrganization, type World } from "@/test/world";
import { inBackground } from "../records/in-background";
import { enqueueMail, type NewMail } from "./enqueue";
import { dropOldBodies } from "./retention";
import type { MailRow } from "./store";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

let server: MailServer;
let world: World;
let organization: TestOrganization;
beforeAll(async () => {
  server = await startMailServer();
  world = await openWorld({ SMTP_URL: server.url, MAIL_FROM: "Quittance <mail@example.com>" });
  organization = await world.organization("Acme");
});
afterEach(() => {
  server.arrived = [];
  server.onMessage = () => undefined;
  server.onRecipient = () => undefined;
});
afterAll(async () => {
  await world.close();
  await server.close();
});

let count = 0;
const notice = (change: Partial<NewMail> = {}): NewMail =>
  ({
    kind: "security_notice",
    organizationId: organization.id,
    to: `grace${count++}@example.com`,
    locales: ["de-AT"],
    timezone: "Europe/Vienna",
    link: null,
    data: { notice: "api_key_created", at: world.clock.now(), subject: "Shop" },
    ...change,
  }) as NewMail;

const enqueue = (mail: NewMail, on = world): Promise<MailRow> =>
  inBackground(on.runtime, "test", async (ctx) => {
    ctx.audit({ target: null, organizationId: organization.id });
    return enqueueMail(ctx, mail);
  });

async function read(id: string): Promise<MailRow> {
  const [row] = await world.runtime.db.read.select().from(mails).where(eq(mails.id, id));
  if (!row) throw new Error("The mail is missing.");
  return row;
}

/** The same world with other settings. */
const withMail = (settings: Record<string, string>): World => {
  const mail = settings.SMTP_URL ? parseEnv(settings).mail : null;
  return openedWith(world, { ...world.runtime, env: { ...world.runtime.env, mail } });
};

describe("a mail", () => {
  it("arrives as text and HTML in the recipient's language, encrypted", async () => {
    const row = await enqueue(notice({ to: "grace@example.com" }));
    expect(row).toMatchObject({ status: "queued", attempts: 0 });
    await runJobs(world);
    const [mail, ...others] = server.arrived;
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ from: "mail@example.com", to: ["grace@example.com"], isEncrypted: true });
    if (!mail) return;
    expect(headerOf(mail, "Message-ID")).toBe(`<${row.id}@localhost>`);
    expect(headerOf(mail, "From")).toBe("Acme <mail@example.com>");
    expect(headerOf(mail, "Reply-To")).toBeUndefined();
    expect(headerOf(mail, "Auto-Submitted")).toBe("auto-generated");
    const [text = "", html = ""] = bodiesOf(mail);
    for (const body of [text, html]) {
      expect(body).toContain("Ein API-Schlüssel wurde erstellt");
      expect(body).toContain("Shop");
      expect(body).toContain("20. November 2026");
    }
    expect(html).toContain('lang="de-AT"');
    expect(html).not.toMatch(/<(img|link|script|iframe)|src=|url\(/);
    expect(await read(row.id)).toMatchObject({
      status: "sent",
      attempts: 1,
      sentAt: world.clock.now(),
      lastError: null,
    });
  });

  it("is sent only if the transaction commits", async () => {
    const before = await world.runtime.db.read.$count(mails);
    const failing = inBackground(world.runtime, "test", async (ctx) => {
      await enqueueMail(ctx, notice());
      throw new Error("rolled back");
    });
    await expect(failing).rejects.toThrow("rolled back");
    await runJobs(world);
    expect(server.arrived).toEqual([]);
    expect(await world.runtime.db.read.$count(mails)).toBe(before);
  });

  it("is announced and audited without its address", async () => {
    const row = await enqueue(notice());
    await runJobs(world);
    const [event] = await world.runtime.db.read.select().from(events).where(eq(events.objectId, row.id));
    expect(event).toMatchObject({ type: "mail.sent", sequence: 1, organizationId: organization.id });
    const [entry] = await world.runtime.db.read.select().from(auditEntries).where(eq(auditEntries.targetId, row.id));
    expect(entry).toMatchObject({ operation: "mails.deliver", actorType: "system" });
    expect(JSON.stringify([event, entry])).not.toContain("@example.com");
  });

  it("is held without a mail server", async () => {
    const row = await enqueue(notice(), withMail({}));
    expect(row).toMatchObject({ status: "held" });
    await runJobs(world);
    expect(server.arrived).toEqual([]);
  });

  it("waits for a process with a mail server, and is held once it has waited for too long", async () => {
    const without = withMail({});
    const [row, late] = [await enqueue(notice()), await enqueue(notice())];
    await runJobs(without);
    expect(await read(row.id)).toMatchObject({ status: "queued", attempts: 0 });
    await world.runtime.db.write((tx) =>
      tx
        .update(mails)
        .set({ updatedAt: late.updatedAt - limits.mail.patienceMs })
        .where(eq(mails.id, late.id))
        .then(),
    );
    world.clock.advance(minuteMs);
    await runJobs(without);
    expect(await read(late.id)).toMatchObject({ status: "held", attempts: 0 });
    world.clock.advance(minuteMs);
    await runJobs(world);
    expect(await read(row.id)).toMatchObject({ status: "sent", attempts: 1 });
    expect(server.arrived).toHaveLength(1);
  });

  it("loses its bodies after 90 days and stays in the list", async () => {
    const row = await enqueue(notice());
    await runJobs(world);
    world.clock.advance(limits.kept.mailBodyMs - 1);
    await dropOldBodies(world.runtime, 500);
    expect((await read(row.id)).text).not.toBeNull();
    world.clock.advance(1);
    await dropOldBodies(world.runtime, 500);
    expect(await read(row.id)).toMatchObject({ status: "sent", text: null, html: null, subject: row.subject });
  });
});

describe("a server that does not accept it", () => {
  it("gets it again after greylisting", async () => {
    const row = await enqueue(notice());
    let isFirst = true;
    server.onRecipient = () => {
      if (!isFirst) return;
      isFirst = false;
      throw refusal(451, "4.7.1 Greylisted, try again later");
    };
    await runJobs(world);
    expect(await read(row.id)).toMatchObject({
      status: "queued",
      attempts: 1,
      lastError: expect.stringMatching(/^451 4.7.1 Greylisted/),
    });
    world.clock.advance(minuteMs - 1);
    await runJobs(world);
    expect(server.arrived).toEqual([]);
    world.clock.advance(1);
    await runJobs(world);
    expect(server.arrived).toHaveLength(1);
    expect(await read(row.id)).toMatchObject({ status: "sent", attempts: 2, lastError: null });
  });

  it("gets it seven times, with the same Message-ID, over about 34 hours", async () => {
    const row = await enqueue(notice());
    const tries: string[] = [];
    server.onMessage = (mail) => {
      tries.push(headerOf(mail, "Message-ID") ?? "");
      throw refusal(452, "4.3.1 The disk is full");
    };
    await runJobs(world);
    for (const wait of [1, 5, 30, 120, 480, 1_440]) {
      world.clock.advance(wait * minuteMs);
      await runJobs(world);
    }
    expect(tries).toEqual(Array.from({ length: 7 }, () => row.messageId));
    expect(await read(row.id)).toMatchObject({
      status: "failed",
      attempts: 7,
      lastError: expect.stringMatching(/^452/),
    });
    world.clock.advance(48 * hourMs);
    await runJobs(world);
    expect(tries).toHaveLength(7);
    expect(await world.runtime.db.read.$count(jobs, eq(jobs.objectId, row.id))).toBe(0);
  });

  it.each(["recipient", "message"] as const)("is not asked again once it refused the %s for good", async (step) => {
    const row = await enqueue(notice());
    const refuse = () => {
      throw refusal(550, "5.1.1 No such user\u202e");
    };
    if (step === "recipient") server.onRecipient = refuse;
    else server.onMessage = refuse;
    await runJobs(world);
    expect(await read(row.id)).toMatchObject({ status: "failed", attempts: 1, lastError: "550 5.1.1 No such user" });
    const [event] = await world.runtime.db.read.select().from(events).where(eq(events.objectId, row.id));
    expect(event?.type).toBe("mail.failed");
  });

  it("gets it again after it cut the connection in the middle of the message", async () => {
    const row = await enqueue(notice());
    server.onMessage = () => server.cut();
    await runJobs(world);
    expect(await read(row.id)).toMatchObject({ status: "queued", attempts: 1 });
    expect((await read(row.id)).lastError).toMatch(
      /^The connection to the server was cut|^The server could not be reached/,
    );
    server.onMessage = () => undefined;
    server.arrived = [];
    world.clock.advance(minuteMs);
    await runJobs(world);
    expect(server.arrived.map((mail) => headerOf(mail, "Message-ID"))).toEqual([row.messageId]);
  });

  it("holds up no transaction while it is slow, and no other mail", async () => {
    const slow = await enqueue(notice({ to: "slow@example.com" }));
    const quick = await enqueue(notice({ to: "quick@example.com" }));
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let began = () => {};
    const begun = new Promise<void>((resolve) => {
      began = resolve;
    });
    server.onRecipient = async (address) => {
      if (address !== "slow@example.com") return;
      began();
      await released;
    };
    const running = runJobs(world);
    await begun;
    const other = await enqueue(notice());
    await expect.poll(async () => (await read(quick.id)).status).toBe("sent");
    expect((await read(slow.id)).status).toBe("queued");
    release();
    await running;
    expect((await read(slow.id)).status).toBe("sent");
    expect((await read(other.id)).status).toBe("sent");
  });
});

describe("a mail that nobody asked for", () => {
  const clear = () => world.runtime.db.write(async (tx) => void (await tx.delete(throttles)));
  const statesOf = async (rows: readonly MailRow[]) =>
    (await Promise.all(rows.map(async ({ id }) => (await read(id)).status))).sort();
  const enqueueMany = async (to: string, count: number) => {
    const rows: MailRow[] = [];
    for (let i = 0; i < count; i++) rows.push(await enqueue(notice({ to, isAutomatic: true })));
    return rows;
  };
  const sent = (count: number) => Array.from({ length: count }, () => "sent");

  it("waits beyond the limit per recipient, and is sent once there is room", async () => {
    await clear();
    const rows = await enqueueMany("Often@example.com", limits.mail.perRecipient + 1);
    await runJobs(world);
    expect(await statesOf(rows)).toEqual(["queued", ...sent(limits.mail.perRecipient)]);
    expect(server.arrived).toHaveLength(limits.mail.perRecipient);
    const states = await Promise.all(rows.map(({ id }) => read(id)));
    expect(states.find(({ status }) => status === "queued")?.lastError).toBe("rate_limited");
    world.clock.advance(24 * hourMs);
    await runJobs(world);
    expect(await statesOf(rows)).toEqual(sent(rows.length));
  });

  it("counts nowhere while one of its limits is full", async () => {
    await clear();
    await enqueueMany("flooded@example.com", limits.mail.perRecipient + 3);
    await runJobs(world);
    const counts = await world.runtime.db.read.select({ count: throttles.count }).from(throttles);
    expect(counts.map(({ count: counted }) => counted)).toEqual(counts.map(() => limits.mail.perRecipient));
  });

  it("has failed once it has waited for too long", async () => {
    await clear();
    const rows = await enqueueMany("never@example.com", limits.mail.perRecipient + 1);
    await world.runtime.db.write((tx) =>
      tx
        .update(mails)
        .set({ createdAt: world.clock.now() - limits.mail.patienceMs })
        .where(eq(mails.toKey, "never@example.com"))
        .then(),
    );
    await runJobs(world);
    expect(await statesOf(rows)).toEqual(["failed", ...sent(limits.mail.perRecipient)]);
    const states = await Promise.all(rows.map(({ id }) => read(id)));
    const failed = states.find(({ status }) => status === "failed");
    expect(failed).toMatchObject({ attempts: 0, lastError: "rate_limited" });
    const [event] = await world.runtime.db.read
      .select()
      .from(events)
      .where(eq(events.objectId, failed?.id ?? ""));
    expect(event?.type).toBe("mail.failed");
  });
});

describe("hostile texts", () => {
  const bell = "\u0007";
  const nasty = `Eve"\r\nBcc: victim@example.net\r\n\r\n<b>hi</b> <a href="https://evil.example">x</a> =?utf-8?Q?hidden?= \u202egnp.exe${bell}`;

  it("add no header, no recipient, no markup and no link", async () => {
    await enqueue(
      notice({
        kind: "payment_request",
        to: "payer@example.com",
        account: { id: organization.member.accountId, name: nasty, email: "shop@example.com" },
        link: null,
        data: {
          amount: 1250,
          currency: "EUR",
          customerName: nasty,
          description: nasty,
          reference: "A-1\u202e",
          at: null,
          livemode: true,
        },
      } as unknown as Partial<NewMail>),
    );
    await runJobs(world);
    const [mail] = server.arrived;
    if (!mail) throw new Error("Nothing arrived.");
    expect(mail.to).toEqual(["payer@example.com"]);
    const names = headersOf(mail.raw).map((line) => line.split(":")[0]);
    expect(names.sort()).toEqual([
      ...["Auto-Submitted", "Content-Type", "Date", "From", "MIME-Version", "Message-ID", "Reply-To", "Subject", "To"],
    ]);
    expect(headerOf(mail, "From")).toMatch(/<mail@example\.com>$/);
    expect(headerOf(mail, "Subject")).toContain("Eve");
    expect(headerOf(mail, "Subject")).toContain("Eve");
    expect(headerOf(mail, "Reply-To")).toBe("shop@example.com");
    for (const name of ["From", "Subject"])
      expect(headerOf(mail, name)).not.toMatch(/=\?utf-8\?Q\?hidden|[\u202e\u0007]/);
    const [text = "", html = ""] = bodiesOf(mail);
    expect(html).not.toMatch(/<b>|<a href="https:\/\/evil/);
    expect(html).not.toMatch(/[\u202e\u0007]/);
    for (const body of [text, html]) {
      expect(body).not.toMatch(/https:\/\/evil\.example|victim@example\.net/);
    }
  });

  it("stay below 30 KB at their longest", async () => {
    const long = (length: number) => "\u{1f9fe}".repeat(length / 2);
    const row = await enqueue(
      notice({
        kind: "payment_request",
        account: { id: organization.member.accountId, name: long(limits.name), email: "shop@example.com" },
        link: null,
        data: {
          ...{ amount: limits.amount, currency: "CLF", customerName: long(limits.name), at: world.clock.now() },
          ...{
            description: long(limits.description),
            reference: long(limits.reference),
            message: long(limits.mail.message),
          },
          livemode: false,
        },
      } as unknown as Partial<NewMail>),
    );
    expect(row.subject.length).toBeLessThanOrEqual(limits.mail.subject);
    await runJobs(world);
    expect(server.arrived[0]?.raw.length).toBeLessThanOrEqual(limits.mail.bytes);
  });

  it("never become an address", async () => {
    for (const to of [
      "a@example.com, b@example.com",
      "a@example.com\r\nBcc: b@example.com",
      `${"x".repeat(310)}@example.com`,
      "<a@example.com>",
    ]) {
      await expect(enqueue(notice({ to }))).rejects.toThrow("no valid recipient");
    }
  });
});
