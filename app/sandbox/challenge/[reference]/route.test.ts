// The sandbox's challenge page: its content, its two answers, and leaving it without one.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { browser, formTokenIn, headingOf, openPayPages, type PayPages } from "@/test/pay-page";
import { card, paymentRow, transactionsOf } from "@/test/payer";
import { GET, HEAD, POST } from "./route";

let pages: PayPages;
beforeAll(async () => {
  pages = await openPayPages();
});
beforeEach(() => pages.world.clock.advance(1000));
afterAll(() => pages.world.close());

const requestOf = (path: string, init?: RequestInit) => new Request(`https://pay.example.com${path}`, init);

const shownForms = new Map<string, string>();

async function look(path: string) {
  const response = await GET(requestOf(path));
  const text = (await response.text()).replaceAll(/[\u00a0\u202f]/g, " ");
  return { status: response.status, text, heading: headingOf(text), headers: response.headers };
}

/** Sends the form that the page at `path` first showed. */
async function answer(path: string, fields: Record<string, string>, headers: Record<string, string> = browser) {
  const type = { "content-type": "application/x-www-form-urlencoded" };
  const form_token = shownForms.get(path) ?? formTokenIn((await look(path)).text);
  shownForms.set(path, form_token);
  const body = new URLSearchParams({ form_token, ...fields }).toString();
  return POST(requestOf(path, { method: "POST", body, headers: { ...type, ...headers } }));
}

/** A payment that waits for its challenge, and the challenge page. */
async function challenged(number = "4000002760003184", query = "") {
  const request = await pages.newRequest();
  const response = await pages.pay(request.token, card(number), query);
  return { ...request, path: response.headers.get("location") ?? "" };
}

const statusOf = async (payment: { payment_id: string }) => (await paymentRow(pages.world, payment.payment_id)).status;

describe("the challenge page", () => {
  it("says that it replaces the bank, and shows merchant, amount, card and the three choices", async () => {
    const { token, path } = await challenged();
    const page = await look(path);
    expect(page).toMatchObject({ status: 200, heading: "Confirm your payment" });
    for (const part of [
      "<b>TEST</b>",
      "this page takes the place of your bank.",
      "<dt>Paid to</dt><dd>Account ",
      "<dt>Amount</dt><dd>€12.50</dd>",
      "<dt>Card</dt><dd>Visa ending in 3184</dd>",
      'name="answer" value="complete">Complete</button>',
      'name="answer" value="fail">Fail</button>',
      `href="/pay/${token}">Abandon</a>`,
    ]) {
      expect(page.text).toContain(part);
    }
    expect(page.text).not.toContain("<script");
    expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(page.headers.get("referrer-policy")).toBe("no-referrer");
    expect((await HEAD(requestOf(path, { method: "HEAD" }))).status).toBe(200);
  });

  it("keeps the language", async () => {
    const { token, path } = await challenged(undefined, "?lang=de");
    const { heading, text } = await look(path);
    expect(heading).toBe("Zahlung bestätigen");
    expect(text).toContain(`href="/pay/${token}?lang=de">Abbrechen</a>`);
    expect(text).toContain(`action="${path}"`);
    expect((await answer(path, { answer: "complete" })).headers.get("location")).toBe(`/pay/${token}?lang=de`);
  });

  it("responds 404 to other references", async () => {
    for (const path of [
      "/sandbox/challenge/unknown",
      "/sandbox/challenge/%00",
      `/sandbox/challenge/${"x".repeat(500)}`,
    ]) {
      expect(await look(path)).toMatchObject({ status: 404, heading: "Page not found" });
      expect((await answer(path, { answer: "complete" })).status).toBe(404);
    }
  });
});

describe("an answer", () => {
  it("Complete pays; every later answer changes nothing", async () => {
    const { payment, token, path } = await challenged();
    for (const word of ["complete", "fail", "complete"]) {
      const response = await answer(path, { answer: word });
      expect([response.status, response.headers.get("location")]).toEqual([303, `/pay/${token}`]);
      expect(await statusOf(payment)).toBe("paid");
    }
    expect(await transactionsOf(pages.world, payment.payment_id)).toHaveLength(1);
    expect(await look(path)).toMatchObject({ status: 200, heading: "Already answered" });
  });

  it("Fail returns to the form with the reason, and another card pays", async () => {
    const { payment, token, path } = await challenged();
    expect((await answer(path, { answer: "fail" })).headers.get("location")).toBe(`/pay/${token}`);
    const { text } = await pages.read(token);
    expect(text).toContain("The payment was not confirmed with your bank.");
    expect(text).toContain('name="card_number"');
    pages.world.clock.advance(1000);
    await pages.pay(token);
    expect(await statusOf(payment)).toBe("paid");
  });

  it("Complete can still end in a decline", async () => {
    const { token, path } = await challenged("4000008260003178");
    await answer(path, { answer: "complete" });
    expect((await pages.read(token)).text).toContain("This card does not have enough funds.");
  });

  it("is refused without a choice, or from another site", async () => {
    const { payment, path } = await challenged();
    expect((await answer(path, {})).headers.get("location")).toBe(path);
    for (const form_token of ["", "x", await pages.formOf((await pages.newRequest()).token)]) {
      expect((await answer(path, { answer: "complete", form_token })).headers.get("location")).toBe(path);
    }
    expect((await answer(path, { answer: "complete" }, { "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await answer(path, { answer: "complete" }, { origin: "https://evil.example" })).status).toBe(403);
    expect(await statusOf(payment)).toBe("requires_action");
  });
});

describe("viewing", () => {
  it("does not answer the challenge", async () => {
    const { payment, token, path } = await challenged();
    await look(path);
    await look(path);
    expect((await pages.read(token)).heading).toBe("Confirm with your bank");
    expect(await statusOf(payment)).toBe("requires_action");
  });
});
