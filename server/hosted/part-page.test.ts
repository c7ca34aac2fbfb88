// The pay page of a request that is paid in parts: what it offers, what its form sends, and what it says afterwards.

import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { transactions } from "@/db/tables";
import { markPaid } from "@/server/domains/payments/operations/mark-paid";
import { dayMs } from "@/server/kit/limits";
import { iso } from "@/server/process/clock";
import { browser, openPayPages, type PayPages } from "@/test/pay-page";
import { goodCard, paymentRow, type RequestFields } from "@/test/payer";

let pages: PayPages;
beforeAll(async () => {
  pages = await openPayPages({ PAY_FAILURES_PER_LINK: "10000" });
});
afterAll(() => pages.world.close());

const planned = (fields: RequestFields = {}) =>
  pages.newRequest({
    amount: 60_000,
    installments: [10_000, 20_000, 30_000].map((amount, i) => ({
      ...{ amount, due_at: iso(pages.world.clock.now() + (30 * i + 10) * dayMs) },
    })),
    ...fields,
  });
const free = (fields: RequestFields = {}) =>
  pages.newRequest({ amount: 60_000, allow_partial: true, minimum_amount: 20_000, ...fields });

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");

/** What the form of the page sends with a choice; `own_amount` is what the payer types. */
async function formWith(token: string, choice: string, own_amount = "", query = "") {
  const { text } = await pages.read(token, query);
  const value = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? "";
  const [shown] = text.match(new RegExp(`(?<=name="choice" value=")${choice}(-\\d+)?(?=")`)) ?? [choice];
  return { form_token: value("form_token"), amount_due: value("amount_due"), choice: shown, own_amount, ...goodCard };
}

/** Sends the form and follows the redirect. */
async function send(token: string, fields: Record<string, string>, query = "") {
  const response = await pages.post(token, fields, browser, query);
  expect(response.status).toBe(303);
  const to = new URL(response.headers.get("location") ?? "", "https://pay.example.com");
  const page = await pages.read(token, to.search);
  return { search: to.search, ...page, text: plain(page.text) };
}

const chosenIn = (text: string) => /value="([a-z]+)(?:-\d+)?" checked/.exec(text)?.[1];
const amountsOf = async (id: string) =>
  (await pages.world.runtime.db.read.select().from(transactions).where(eq(transactions.paymentId, id)))
    .map((row) => row.amount)
    .sort();

it("offers the next installment first, and shows the plan", async () => {
  const { token, payment } = await planned();
  const { text: given } = await pages.read(token);
  const text = plain(given);
  expect(chosenIn(text)).toBe("next");
  expect(text).toContain('value="next-10000"');
  expect(text).toContain('value="all-60000"');
  expect(text).toMatch(/<h2>Installments<\/h2>/);
  expect(text).toContain("Due next");
  expect(text).not.toContain("own_amount");
  const after = await send(token, await formWith(token, "next"));
  expect(after.search).toBe("");
  expect(after.text).toContain("€100.00 received on");
  expect(after.text).toContain(`href="/pay/${token}/receipt"`);
  expect(after.text).toContain('value="next-20000"');
  expect(await amountsOf(payment.payment_id)).toEqual([10_000]);
  await send(token, await formWith(token, "all"));
  expect((await pages.read(token)).heading).toBe("Payment received");
  expect(plain((await pages.read(token)).text)).toContain("Paid");
});

it("shows what is paid now in the headline and on the button, for each fixed choice", async () => {
  const { token } = await planned();
  const { text: given } = await pages.read(token);
  const text = plain(given);
  const [headline = ""] = /<p class="amount" aria-live="polite">.*?<\/p>/s.exec(text) ?? [];
  expect(headline).toContain('<span class="otherwise">€600.00</span>');
  expect(headline).toContain('<span class="when next">€100.00 <small>now, of €600.00</small></span>');
  expect(headline).toContain('<span class="when all">€600.00</span>');
  const [button = ""] = /<button class="button">.*?<\/button>/s.exec(text) ?? [];
  expect(button).toContain('<span class="otherwise">Pay chosen amount</span>');
  expect(button).toContain('<span class="when next">Pay €100.00</span>');
  expect(button).toContain('<span class="when all">Pay €600.00</span>');
  for (const choice of ["next", "overdue", "all"]) {
    expect(text).toContain(`body:has([name=choice][value^=${choice}-]:checked) .when.${choice}`);
  }
  const { text: other } = await pages.read((await pages.newRequest({ amount: 60_000 })).token);
  expect(other).not.toContain('class="when');
  expect(other).not.toContain("aria-live");
});

it("says once what a single payment has paid, and in all what several have", async () => {
  const { token } = await planned();
  const { text } = await send(token, await formWith(token, "next"));
  expect(text).toContain("€100.00 received on");
  expect(text).not.toContain("Paid so far");
  const after = await send(token, await formWith(token, "next"));
  expect(after.text).toContain("€200.00 received on");
  expect(after.text).toMatch(/Paid so far<\/dt><dd>€300\.00/);
});

it("charges nothing by a form whose amounts have changed, and shows the current ones", async () => {
  const { token, payment } = await planned();
  const [first, second] = [await formWith(token, "next"), await formWith(token, "next")];
  await send(token, first);
  const stale = await send(token, second);
  expect(stale.search).toBe("?problem=amount_changed&choice=next");
  expect(stale.text).toContain("You have not been charged");
  expect(stale.text).toContain('value="next-20000" checked');
  expect(stale.text).not.toContain("received on");
  expect(await amountsOf(payment.payment_id)).toEqual([10_000]);
});

it("a request without parts is charged only what its page showed", async () => {
  const { token, payment } = await pages.newRequest({ amount: 60_000 });
  const seen = await formWith(token, "all");
  const { choice: _, own_amount: __, ...form } = seen;
  const mark = { payment_id: payment.payment_id, amount: 10_000, method: "cash" as const, reason: "Counter" };
  await pages.world.call(markPaid, pages.acme.member.actor, mark);
  const stale = await send(token, form);
  expect(stale.search).toBe("?problem=amount_changed");
  expect(stale.text).toContain("You have not been charged");
  expect((await paymentRow(pages.world, payment.payment_id)).amountPaid).toBe(10_000);
});

it.each([
  ["", "250,00"],
  ["?lang=de", "250,00"],
  ["", "250.00"],
])("reads an own amount as people type it (%s %s)", async (query, typed) => {
  const { token, payment } = await free();
  await send(token, await formWith(token, "own", typed, query), query);
  expect(await amountsOf(payment.payment_id)).toEqual([25_000]);
});

it.each([
  ["199.99", "amount_too_small", "The smallest part is €200.00. You can also pay €600.00."],
  ["0", "amount_invalid", "Enter an amount, such as €200.00."],
  ["", "amount_invalid", "Enter an amount"],
  ["a few", "amount_invalid", "Enter an amount"],
  ["1.234", "amount_invalid", "Please check the amount"],
  ["250 0", "amount_invalid", "Please check the amount"],
  ["$250", "amount_invalid", "Please check the amount"],
  ["400.01", "amount_leaves_too_little", "Pay at most €400.00, or €600.00."],
  ["600.01", "amount_too_large", "No more than €600.00 is due."],
  ["99999999999", "amount_too_large", "No more than"],
  ["x".repeat(5000), "amount_invalid", "Enter an amount"],
])("says what is wrong with the own amount %s, and keeps it", async (typed, problem, message) => {
  const { token, payment } = await free();
  const after = await send(token, await formWith(token, "own", typed));
  expect(new URLSearchParams(after.search).get("problem")).toBe(problem);
  expect(after.text).toContain(message);
  expect(chosenIn(after.text)).toBe("own");
  expect(after.text).toContain(
    `name="own_amount" inputmode="decimal" autocomplete="off" maxlength="64" value="${typed.slice(0, 64)}"`,
  );
  expect(await amountsOf(payment.payment_id)).toEqual([]);
});

it("asks when an amount was typed beside another choice", async () => {
  const { token, payment } = await free();
  const after = await send(token, await formWith(token, "all", "250.00"));
  expect(after.text).toContain("You typed an amount but chose another one.");
  expect(chosenIn(after.text)).toBe("own");
  expect(await amountsOf(payment.payment_id)).toEqual([]);
});

it("keeps no card number that was typed as an amount", async () => {
  const { token } = await free();
  for (const [choice, typed] of [
    ["own", "5555555555554444"],
    ["all", "5555 5555 5555 4444"],
    ["own", "５５５５５５５５５５５５４４４４"],
  ] as const) {
    const after = await send(token, await formWith(token, choice, typed));
    expect(after.search).toMatch(/^\?problem=\w+&choice=own$/);
    expect(after.text).not.toContain(typed);
  }
});

it("offers nothing that a decline named once less is due, and shows what was paid beside it", async () => {
  const { token, payment } = await free();
  await send(token, { ...(await formWith(token, "all")), card_number: "4000000000000002" });
  const cash = { payment_id: payment.payment_id, amount: 10_000, method: "cash", reason: "Counter" } as const;
  await pages.world.call(markPaid, pages.acme.member.actor, cash);
  const text = plain((await pages.read(token)).text);
  expect(chosenIn(text)).toBe("all");
  expect(text).toContain("€100.00 received on");
  expect(text).toContain("Your card was declined");
});

it("keeps the choice when a card field is wrong, and when the card is declined", async () => {
  const { token } = await free();
  const wrong = await send(token, { ...(await formWith(token, "own", "250.00")), security_code: "1" });
  expect(wrong.search).toBe("?problem=security_code_invalid&choice=own&typed=250.00");
  expect(wrong.text).toContain('value="own" checked');
  const declined = await send(token, { ...(await formWith(token, "own", "250.00")), card_number: "4000000000000002" });
  expect(declined.search).toBe("");
  expect(declined.text).toContain("Your card was declined");
  expect(chosenIn(declined.text)).toBe("own");
  expect(declined.text).toContain('value="250.00"');
  const { token: plan } = await planned();
  const refused = await send(plan, { ...(await formWith(plan, "all")), card_number: "4000000000000002" });
  expect(chosenIn(refused.text)).toBe("all");
});

it.each(["", "gift-5", "next", "next-1", "own", "all-1", "next--5", "all-9999999999999"])(
  "charges nothing for the choice %j, which the page never offered",
  async (choice) => {
    const { token, payment } = await planned();
    const after = await send(token, { ...(await formWith(token, "next")), choice });
    expect(new URLSearchParams(after.search).get("problem")).toMatch(/^amount_(changed|invalid)$/);
    expect(await amountsOf(payment.payment_id)).toEqual([]);
  },
);

it("shows no more than the installments and what was paid once it has ended", async () => {
  const { token } = await planned({ expires_at: iso(pages.world.clock.now() + 71 * dayMs) });
  await send(token, await formWith(token, "next"));
  pages.world.clock.advance(72 * dayMs);
  const { text, heading } = await pages.read(token);
  expect(heading).toBe("Request expired");
  expect(plain(text)).toMatch(/Paid so far<\/dt><dd>€100\.00/);
  expect(text).toContain("Not paid");
  expect(text).toContain("View receipt");
});

it("names the customer on a receipt, by the e-mail address where that is all there is", async () => {
  const forOf = async (customer: RequestFields["customer"]) => {
    const { token } = await planned({ customer });
    await send(token, await formWith(token, "next"));
    return /For<\/dt><dd[^>]*>([^<]*)</.exec(await (await pages.receipt(token)).text())?.[1];
  };
  const email = "only@example.com";
  expect(await forOf({ email })).toBe(email);
  expect(await forOf({ email, name: "Ada" })).toBe("Ada");
  expect(await forOf(null)).toBeUndefined();
});

it("gives each part a receipt, which leads back to the page", async () => {
  const { token } = await planned();
  await send(token, await formWith(token, "next"));
  pages.world.clock.advance(1000);
  await send(token, await formWith(token, "next"));
  const { text } = await pages.read(token);
  const [, part = ""] = /receipt(\?payment=[^"]+)/.exec(text) ?? [];
  const receipt = plain(await (await pages.receipt(token, part)).text());
  expect(receipt).toContain("€200.00");
  expect(receipt).toContain("Part of €600.00");
  expect(receipt).toContain("Back to the payment page");
  expect(receipt).not.toContain("€100.00");
  const whole = plain(await (await pages.receipt(token)).text());
  expect(whole.match(/receipt\?payment=txn_/g)).toHaveLength(2);
  expect(whole).toContain("€300.00");
  expect((await pages.receipt(token, "?payment=txn_unknown")).status).toBe(404);
});

it("stays small with as many installments as there can be, in both languages", async () => {
  const installments = Array.from({ length: 36 }, (_, i) => ({
    amount: 999_999,
    due_at: iso(pages.world.clock.now() + (i + 1) * 30 * dayMs),
  }));
  const { token } = await pages.newRequest({
    amount: 36 * 999_999,
    installments,
    currency: "KWD",
    description: "ä".repeat(280),
  });
  for (const query of ["", "?lang=de"]) {
    const { text } = await pages.read(token, query);
    expect(Buffer.byteLength(text)).toBeLessThan(30 * 1024);
  }
  expect((await pages.read(token, "?lang=de")).text).toContain("Nächste Rate");
});
