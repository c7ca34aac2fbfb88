// The pay page of a reusable link, as a browser without JavaScript uses it.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { listMails } from "@/server/domains/outbox/operations/list";
import { listPaymentRequests } from "@/server/domains/payments/operations/list";
import { lostAnswerCode, troubledCard } from "@/server/domains/providers/test-cards";
import { Failure } from "@/server/kit/errors";
import { limits, minuteMs } from "@/server/kit/limits";
import { runJobs } from "@/test/jobs";
import { askMany } from "@/test/link-payer";
import { cancelRequest } from "@/test/merchant";
import { browser, formTokenIn, headingOf, openPayPages, type PayPages } from "@/test/pay-page";
import { card, goodCard, paymentRow, type RequestFields } from "@/test/payer";
import { PageCall } from "./call";

let pages: PayPages;
beforeAll(async () => {
  pages = await openPayPages({ LINK_USES_PER_IP: "10000" });
});
afterAll(() => pages.world.close());

const ask = (fields: RequestFields = {}) => askMany(pages.world, pages.acme.member.actor, fields);

/** The hidden and visible values of the form in a page. */
function valuesIn(text: string): Record<string, string> {
  const inputs = [...text.matchAll(/<input [^>]*>/g)].map(([tag]) => tag);
  const of = (tag: string, name: string) => new RegExp(`${name}="([^"]*)"`).exec(tag)?.[1] ?? "";
  return Object.fromEntries(inputs.map((tag) => [of(tag, "name"), of(tag, "value")]));
}

const payer = { email: "grace@example.com", name: "Grace Hopper" };

async function send(token: string, typed: Record<string, string>, text?: string) {
  const shown = text ?? (await pages.read(token)).text;
  const response = await pages.post(token, { ...valuesIn(shown), ...payer, ...goodCard, ...typed }, browser);
  return { status: response.status, location: response.headers.get("location"), text: await response.text() };
}

async function usesOf(parent_payment_id: string) {
  const { data } = await pages.world.call(listPaymentRequests, pages.acme.admin.actor, { parent_payment_id });
  return data;
}

describe("the page of a reusable link", () => {
  it("asks who pays, and leads to the payer's own page with a receipt", async () => {
    const { payment, token } = await ask();
    const { text, status } = await pages.read(token);
    expect(status).toBe(200);
    for (const field of ["email", "name", "card_number"]) expect(text).toContain(`name="${field}"`);
    const { status: sent, location } = await send(token, {}, text);
    expect(sent).toBe(303);
    const own = location?.split("/").at(-1) ?? "";
    expect(own).not.toBe(token);
    expect((await pages.read(own)).heading).toBe("Payment received");
    expect(await (await pages.receipt(own)).text()).toContain("Grace Hopper");
    expect((await usesOf(payment.payment_id))[0]).toMatchObject({ status: "paid", customer: payer });
    // Nobody learns what others have paid.
    expect((await pages.read(token)).text).not.toContain("Paid so far");
    expect(await (await pages.receipt(token)).text()).toContain("No receipt yet");
  });

  it("speaks German", async () => {
    const { token } = await ask({ line_items: [seats], amount: undefined });
    const { text } = await pages.read(token, "?lang=de");
    for (const words of ["Wer bezahlt", "E-Mail-Adresse", "Summe aktualisieren"]) expect(text).toContain(words);
  });

  it("sends a declined payer on with the same payment request", async () => {
    const { payment, token } = await ask();
    const { location } = await send(token, card("4000000000000002"));
    const own = location?.split("/").at(-1) ?? "";
    const page = await pages.read(own);
    expect(page.text).toContain("Your card was declined");
    await pages.pay(own);
    expect((await usesOf(payment.payment_id)).map(({ status }) => status)).toEqual(["paid"]);
  });
});

const seats = { name: "Seat", quantity: 1, unit_amount: 1000, adjustable_quantity: { minimum: 1, maximum: 5 } };

describe("quantities", () => {
  it("change the total before anything is charged", async () => {
    const { payment, token } = await ask({ line_items: [seats], amount: undefined });
    const first = await send(token, { q0: "3" });
    expect(first.status).toBe(200);
    expect(first.text).toContain("With these quantities the total is €30.00");
    expect(first.text).toContain('value="grace@example.com"');
    expect(first.text).not.toContain('value="4242');
    expect(await usesOf(payment.payment_id)).toEqual([]);
    const { status } = await send(token, { q0: "3" }, first.text);
    expect(status).toBe(303);
    const [use] = await usesOf(payment.payment_id);
    expect(use).toMatchObject({ amount: 3000, line_items: [{ quantity: 3, adjustable_quantity: null }] });
  });

  it("update the total by a button that keeps what was typed, and neither charges nor keeps the card", async () => {
    const { payment, token } = await ask({ line_items: [seats], amount: undefined });
    const { status, text } = await send(token, { q0: "2", act: "total" });
    expect(status).toBe(200);
    expect(text).toContain("€20.00");
    expect(text).toContain('value="Grace Hopper"');
    expect(text).not.toContain('value="4242');
    expect(await usesOf(payment.payment_id)).toEqual([]);
  });

  it.each(["0", "6", "-1", "1.5", "two", "३", "1e0", "", "99999999999999999999"])(
    "refuses %j clearly at its field",
    async (q0) => {
      const { payment, token } = await ask({ line_items: [seats], amount: undefined });
      const forms: Record<string, string>[] = [{ q0 }, { q0, act: "total" }];
      for (const form of forms) {
        const { status, text } = await send(token, form);
        expect(status).toBe(200);
        expect(text).toMatch(/id="q0"[^>]*aria-invalid="true"/);
      }
      expect(await usesOf(payment.payment_id)).toEqual([]);
    },
  );

  it("refuses a quantity below a minimum of more than one, although the page did not send it", async () => {
    const pairs = { ...seats, quantity: 2, adjustable_quantity: { minimum: 2, maximum: 5 } };
    const { payment, token } = await ask({ line_items: [pairs], amount: undefined });
    const { text } = await send(token, { q0: "1" });
    expect(text).toMatch(/id="q0"[^>]*aria-invalid="true"/);
    expect(await usesOf(payment.payment_id)).toEqual([]);
    await send(token, { q0: "2" });
    expect(await usesOf(payment.payment_id)).toMatchObject([{ amount: 2000 }]);
  });

  it("reads spaces and groups as amounts are read", async () => {
    const many = { ...seats, adjustable_quantity: { minimum: 1, maximum: 2000 } };
    const { payment, token } = await ask({ line_items: [many], amount: undefined });
    const { text } = await send(token, { q0: "1,200", act: "total" });
    await send(token, { q0: "1,200" }, text);
    expect((await usesOf(payment.payment_id))[0]).toMatchObject({ amount: 1_200_000 });
  });
});

describe("an amount of the payer's choice", () => {
  const custom = {
    amount: undefined,
    usage_limit: null,
    custom_amount: { minimum: 500, maximum: 5000, suggested: 2000 },
  };

  it("is proposed, and taken as typed", async () => {
    const { payment, token } = await ask(custom);
    expect(payment).toMatchObject({ amount: null, amount_due: 0, usage_limit: null });
    const { text } = await pages.read(token);
    expect(text).toContain('value="20.00"');
    await send(token, { own_amount: "12,50" }, text);
    expect((await usesOf(payment.payment_id))[0]).toMatchObject({ amount: 1250, status: "paid" });
    for (const own_amount of ["€12.50", "12,50 EUR"]) expect((await send(token, { own_amount })).status).toBe(303);
  });

  it.each([
    ["4.99", "The smallest amount is €5.00."],
    ["50.01", "The largest amount is €50.00."],
    ["", "Enter an amount"],
    ["twelve", "Enter an amount"],
    ["१२", "Enter an amount"],
    ["12.345", "Enter an amount"],
    ["3'50", "Please check the amount"],
    ["12 50", "Please check the amount"],
    ["$6", "Please check the amount"],
    ["USD 6", "Please check the amount"],
  ])("refuses %j clearly", async (own_amount, message) => {
    const { payment, token } = await ask(custom);
    const { status, text } = await send(token, { own_amount });
    expect(status).toBe(200);
    expect(text).toContain(message);
    expect(await usesOf(payment.payment_id)).toEqual([]);
  });
});

describe("who pays", () => {
  it.each([
    ["email", "", "Enter your e-mail address."],
    ["email", "grace", "Enter an e-mail address such as"],
    ["email", "gra\u0000ce@example.com", "Enter an e-mail address such as"],
    ["email", "gra\u202ece@example.com", "Enter an e-mail address such as"],
    ["email", `${"g".repeat(limits.email)}@example.com`, "too long"],
    ["name", "Gra\u0000ce", "cannot be stored"],
    ["name", "Gra\u001bce", "cannot be stored"],
    ["name", "\u200b\u2800", "cannot be stored"],
    ["name", "g".repeat(limits.name + 1), "Shorten it to 120 characters"],
  ])("is checked as in a call of the API: %s %j", async (field, value, message) => {
    const { payment, token } = await ask();
    const { status, text } = await send(token, { [field]: value });
    expect(status).toBe(200);
    expect(text).toContain(message);
    expect(text).toMatch(new RegExp(`id="${field}"[^>]*aria-invalid="true"`));
    expect(await usesOf(payment.payment_id)).toEqual([]);
  });

  it("is never part of an address", async () => {
    const { token } = await ask();
    for (const typed of [{ card_number: "1" }, goodCard]) {
      const { location } = await send(token, typed);
      expect(location ?? "").not.toMatch(/grace|hopper/i);
    }
  });
});

describe("a payer who comes back while the payment is being checked", () => {
  const lost = { ...card(troubledCard), security_code: lostAnswerCode };
  const challenged = card("4000002760003184");
  const open = (token: string, cookie: string) => pages.get(token, "?lang=de", { cookie });
  const cookieOf = (response: Response) => response.headers.get("set-cookie")?.split(";")[0] ?? "";
  const begunText = "In diesem Browser wurde eine Zahlung begonnen";

  /** Opens the link and sends its form, from a browser that has the given cookie; resolves to the one it has then. */
  async function payFrom(token: string, typed: Record<string, string>, given = "") {
    const shown = await open(token, given);
    const set = shown.headers.get("set-cookie") ?? "";
    expect(set).toMatch(/^__Host-quittance_forms=[\w.~-]+; Path=\/; Max-Age=172800; HttpOnly; SameSite=Lax; Secure$/);
    const cookie = set.split(";")[0] ?? "";
    const fields = { ...valuesIn(await shown.text()), ...payer, ...goodCard, ...typed };
    const answer = await pages.post(token, fields, { ...browser, cookie });
    return { cookie, location: answer.headers.get("location") ?? "" };
  }

  it.each([
    ["an answer that was lost", lost],
    ["a confirmation", challenged],
  ])("is asked whether to go on with it, and learns nothing of it before: %s", async (_, typed) => {
    const { payment, token } = await ask();
    const { cookie } = await payFrom(token, typed);
    const [use] = await usesOf(payment.payment_id);
    const own = `/pay/${use?.payment_url?.split("/").at(-1)}?lang=de`;
    const back = await open(token, cookie);
    expect([back.status, back.headers.get("set-cookie")]).toEqual([200, null]);
    const text = await back.text();
    expect(headingOf(text)).toBe(begunText);
    expect(text).toContain(`href="${own}"`);
    for (const hidden of ["12,50", "Grace", "grace@", "card_number", "<form"]) expect(text).not.toContain(hidden);
    // Nobody else is.
    expect(await (await pages.get(token)).text()).toContain("card_number");
    expect(await (await open((await ask()).token, cookie)).text()).toContain("card_number");
  });

  /** Chooses to be somebody else; resolves to the address of the form. */
  const otherIn = (text: string) =>
    /href="[^"?]*(\?not_mine=pay_[^"]*)"/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "";

  it("may be somebody else, who pays in his or her own name, and later ones are told of both", async () => {
    const { payment, token } = await ask();
    const { cookie } = await payFrom(token, challenged);
    const other = otherIn(await (await open(token, cookie)).text());
    expect(other).toContain("&lang=de");
    const shown = await pages.get(token, other, { cookie });
    const text = await shown.text();
    expect(text).toContain(`href="${other.replace("&lang=de", "&amp;lang=fr")}"`);
    const ada = { email: "ada@example.com", name: "Ada" };
    const first = cookieOf(shown);
    const wrong = { ...valuesIn(text), ...ada, ...goodCard, card_number: "1" };
    const refused = await (await pages.post(token, wrong, { ...browser, cookie: first })).text();
    expect(refused).toContain('value="Ada"');
    const answer = await pages.post(
      token,
      { ...valuesIn(refused), ...ada, ...challenged },
      { ...browser, cookie: first },
    );
    expect(answer.status).toBe(303);
    expect((await usesOf(payment.payment_id)).map(({ customer }) => customer?.email).sort()).toEqual([
      "ada@example.com",
      "grace@example.com",
    ]);
    // The page of before is no excuse for a payment that was begun since.
    for (const query of ["?lang=de", other]) {
      const again = await pages.get(token, query, { cookie: cookieOf(answer) });
      expect(headingOf(await again.text())).toBe(begunText);
    }
    const stale = { ...valuesIn(text), ...payer, ...goodCard, email: "third@example.com" };
    const asked = await (await pages.post(token, stale, { ...browser, cookie: cookieOf(answer) }, "?lang=de")).text();
    expect(headingOf(asked)).toBe(begunText);
    expect(await usesOf(payment.payment_id)).toHaveLength(2);
  });

  it.each([
    ["an answer that was lost", lost, "is still being checked"],
    ["a confirmation", challenged, "is waiting to be confirmed"],
  ])("is not charged again by being somebody else with the same e-mail address: %s", async (_, typed, message) => {
    const { payment, token } = await ask();
    const { cookie } = await payFrom(token, typed);
    const other = otherIn(await (await open(token, cookie)).text()).replace("&lang=de", "");
    const shown = await pages.get(token, other, { cookie });
    const fields = { ...valuesIn(await shown.text()), ...payer, ...goodCard };
    const answer = await pages.post(token, fields, { ...browser, cookie: cookieOf(shown) });
    expect(await answer.text()).toContain(message);
    expect(await usesOf(payment.payment_id)).toHaveLength(1);
  });

  it("pays nothing by a form that another tab showed before", async () => {
    const { payment, token } = await ask();
    const first = await open(token, "");
    const form = { ...valuesIn(await first.text()), ...payer, ...goodCard, email: "other@example.com" };
    const shown = first.headers.get("set-cookie")?.split(";")[0];
    const { cookie } = await payFrom(token, lost, shown);
    const answer = await pages.post(token, form, { ...browser, cookie }, "?lang=de");
    expect([answer.status, headingOf(await answer.text())]).toEqual([200, begunText]);
    expect(await usesOf(payment.payment_id)).toHaveLength(1);
  });

  it("is asked about it from the first of many tabs", async () => {
    const { token } = await ask();
    const first = await open(token, "");
    const form = { ...valuesIn(await first.text()), ...payer, ...challenged };
    let cookie = cookieOf(first);
    for (let tab = 0; tab < limits.links.shownForms; tab++) cookie = cookieOf(await open(token, cookie));
    const answer = await pages.post(token, form, { ...browser, cookie });
    expect(headingOf(await (await open(token, cookie)).text())).not.toBe(begunText);
    expect(headingOf(await (await open(token, cookieOf(answer))).text())).toBe(begunText);
  });

  it("gets the status 429 for too many forms, also if the page asks a question", async () => {
    const { token } = await ask();
    const first = await open(token, "");
    const form = { ...valuesIn(await first.text()), ...payer, ...goodCard };
    const { cookie } = await payFrom(token, lost, cookieOf(first));
    const perform = PageCall.prototype.perform;
    const throttled = vi.spyOn(PageCall.prototype, "perform").mockImplementation(function (this: PageCall, ...given) {
      if (given[0].id !== "payments.useLink") return perform.apply(this, given);
      return Promise.reject(new Failure("rate_limited", 429, "Too many.", { "Retry-After": "60" }));
    });
    const answer = await pages.post(token, form, { ...browser, cookie }, "?lang=de");
    throttled.mockRestore();
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "60"]);
    expect(headingOf(await answer.text())).toBe(begunText);
  });

  it.each([
    ["an answer that was lost", lost],
    ["a confirmation", challenged],
    ["a decline", card("4000000000000002")],
  ])(
    "is the only one who gets the pay link: not who types the address, nor who has other forms: %s",
    async (_, typed) => {
      const { payment, token } = await ask();
      await payFrom(token, typed);
      const [use] = await usesOf(payment.payment_id);
      const own = use?.payment_url?.split("/").at(-1) ?? "";
      const foreign = (await payFrom((await ask()).token, typed)).cookie;
      for (const headers of [
        browser,
        { ...browser, cookie: foreign },
        { ...browser, cookie: "__Host-quittance_forms=a.b.c" },
      ]) {
        const shown = await pages.get(token, "", headers);
        const text = await shown.text();
        expect(text).toContain('name="card_number"');
        const cookie = cookieOf(shown);
        for (const card_number of ["1", "4242424242424242"]) {
          const fields = { ...valuesIn(text), ...payer, ...goodCard, card_number };
          const answer = await pages.post(token, fields, { ...headers, cookie });
          expect([answer.headers.get("location") ?? "", await answer.text()].join()).not.toContain(own);
        }
      }
      // Not even with the identifier of the use, which is no secret.
      const named = await pages.get(token, `?not_mine=${use?.payment_id}`, { cookie: foreign });
      expect(await named.text()).not.toContain(own);
    },
  );

  it("may use the link again once it is known", async () => {
    const { token } = await ask();
    const { cookie } = await payFrom(token, lost);
    expect(headingOf(await (await open(token, cookie)).text())).toBe(begunText);
    pages.world.clock.advance(minuteMs);
    await runJobs(pages.world);
    const again = await open(token, cookie);
    expect(again.status).toBe(200);
    expect(await again.text()).toContain('name="card_number"');
  });

  it("is not charged again without cookies either", async () => {
    const { payment, token } = await ask();
    await send(token, lost);
    const { status, text } = await send(token, { name: "Other name", email: "GRACE@example.com" });
    expect(status).toBe(200);
    expect(text).toContain("is still being checked");
    expect(await usesOf(payment.payment_id)).toHaveLength(1);
    pages.world.clock.advance(minuteMs);
    await runJobs(pages.world);
    expect((await send(token, {})).status).toBe(303);
  });

  it("may send anything as a cookie", async () => {
    const { token } = await ask();
    for (const value of ["~~~", "x".repeat(4000), "a~".repeat(100), "%00", 'a"b', "a.b.c~__proto__"]) {
      const shown = await open(token, `__Host-quittance_forms=${value}`);
      expect(shown.status).toBe(200);
      expect(shown.headers.get("set-cookie")).toMatch(/^__Host-quittance_forms=[\w.~-]{1,1600}; Path=/);
    }
  });
});

it("says that payments are not completed where they hold the places of one connection, not that they failed", async () => {
  const { token } = await ask({ usage_limit: 10 });
  for (const email of ["a@example.com", "b@example.com"]) await send(token, { ...card("4000002760003184"), email });
  const { status, text } = await send(token, {});
  expect(status).toBe(200);
  expect(text).toContain("Too many payments from your internet connection are not completed yet.");
  expect(text).not.toContain("attempts");
});

describe("a form that comes too late", () => {
  it("is refused when the last place is taken, and says so", async () => {
    const { token } = await ask({ usage_limit: 2 });
    const late = (await pages.read(token)).text;
    for (const email of ["a@example.com", "b@example.com"]) await send(token, { email });
    const { status, location } = await send(token, {}, late);
    expect(status).toBe(303);
    expect(location).toContain(token);
    expect((await pages.read(token)).heading).toBe("All places are taken");
  });

  it("is refused when the link is canceled or has expired, and nobody can ask for a new one", async () => {
    const { world, acme } = pages;
    const canceled = await ask();
    const late = (await pages.read(canceled.token)).text;
    const { location } = await send(canceled.token, card("4000000000000002"));
    const own = location?.split("/").at(-1) ?? "";
    await cancelRequest(world, acme.admin.actor, canceled.payment.payment_id);
    expect((await send(canceled.token, {}, late)).status).toBe(303);
    const expired = await ask({ expires_at: new Date(world.clock.now() + minuteMs).toISOString() });
    const use = await send(expired.token, card("4000000000000002"));
    world.clock.advance(2 * minuteMs);
    await runJobs(world);
    expect((await pages.read(expired.token)).heading).toBe("Request expired");
    for (const token of [canceled.token, own, expired.token, use.location?.split("/").at(-1) ?? ""]) {
      const { text } = await pages.read(token);
      expect(text).not.toContain("Ask for a new link");
      expect(text).not.toContain("We have told");
    }
  });

  it("is refused with a token of another link, or none", async () => {
    const [one, other] = [await ask(), await ask()];
    const { text } = await pages.read(other.token);
    for (const form_token of [formTokenIn(text), ""]) {
      const { text: again } = await send(one.token, { form_token });
      expect(again).toContain("open for too long");
    }
    // The form of an ordinary request is not accepted for a link, nor the other way round.
    const plain = await pages.newRequest();
    await send(plain.token, { use: "1", price: "1250", form_token: await pages.formOf(plain.token) });
    expect(await paymentRow(pages.world, plain.payment.payment_id)).toMatchObject({
      status: "pending",
      attemptCount: 0,
    });
    const form_token = await pages.formOf(one.token);
    await pages.post(one.token, { form_token, ...goodCard });
    expect(await usesOf(one.payment.payment_id)).toEqual([]);
  });
});

it("mails no receipt to an address that a payer typed in the sandbox", async () => {
  const { world, acme } = pages;
  const { payment, token } = await ask();
  await send(token, { email: "victim@example.com" });
  const [use] = await usesOf(payment.payment_id);
  const mails = await world.call(listMails, acme.admin.actor, { payment_id: use?.payment_id });
  expect(mails.data).toEqual([]);
});
