// The open pay page as a customer reads it: what comes first, what the form asks for, and what a subscription says.
import { describe, expect, it } from "vitest";
import type { PayPage } from "@/server/domains/payments/operations/view";
import { dayMs, hourMs } from "@/server/kit/limits";
import type { FormProblem } from "./form-problems";
import { payDocument } from "./pay-document";
import { readerOf } from "./reader";

const now = Date.parse("2026-11-20T12:00:00Z");

const open: PayPage = {
  ...{
    account_name: "Bakery",
    account_email: "hello@bakery.example",
    brand_color: null,
    logo_path: null,
    livemode: false,
    type: "invoice",
  },
  description: "Bread",
  ...{ invoice_number: null, has_pdf: false },
  ...{ reference: null, lines: [], subtotal: 0, taxes: [], subscription: null, currency: "EUR" },
  ...{ amount: 3_900, amount_due: 3_900, amount_paid: 0, amount_refunded: 0, amount_charged_back: 0, paid_at: null },
  ...{ locales: [], timezone: "Europe/Vienna", state: "open", capture_method: "automatic", due_at: null },
  ...{
    expires_at: null,
    success_url: null,
    cancel_url: null,
    is_viewed: true,
    new_link: null,
    begun: null,
    action_url: null,
  },
  ...{ last_error_code: null, form_token: "token", link: null, credit_notes: [] },
  attempt_amount: null,
  installments: null,
  options: [],
  own_amount: null,
  last_payment: null,
  is_paid_again: false,
  ...{ read_at: "2026-11-20T12:00:00.000Z", cards_open_at: null },
};

/** The text of the page, with plain spaces. */
function textOf(more: Partial<PayPage>, lang = "en", problems: FormProblem[] = []): string {
  const page = { ...open, ...more };
  const reader = readerOf({ query: new URLSearchParams({ lang }), headers: new Headers() }, page);
  const visit = {
    path: "/pay/x",
    problems,
    picked: null,
    typed: null,
    unconfirmed: null,
    notMine: "",
    confirmation: null,
    askToken: null,
    checks: 0,
    reportsView: false,
    isSample: false,
    now,
  };
  return payDocument(page, reader, visit).text.replaceAll(/[\u00a0\u202f]/g, " ");
}

describe("the purpose", () => {
  it("is a heading after the amount", () => {
    expect(textOf({})).toMatch(/<p class="amount">€39\.00<\/p>\s*<h1>Bread<\/h1>/);
    expect(textOf({ description: null })).toMatch(/<h1>Invoice<\/h1>/);
  });

  it("is cut if it is long, and can be opened without a script", () => {
    const long = "Bread for the summer party. ".repeat(5).trim();
    const text = textOf({ description: long });
    expect(text).toContain("<h1>Invoice</h1>");
    expect(text).toContain(`<p class="cut" dir="auto">${long}</p>`);
    expect(text).toContain("<summary>Whole description</summary>");
    for (const state of ["paid", "canceled"] as const)
      expect(textOf({ description: long, state })).toContain("<details>");
    expect(textOf({ description: long.slice(0, 120) })).not.toContain("<details>");
  });
});

describe("the line items", () => {
  const lines = [{ name: "Rye", quantity: 1, unit_amount: 3_900, net_amount: 3_900 }] as PayPage["lines"];

  it("are folded below the amount as long as there is a form to reach", () => {
    const text = textOf({ lines, subtotal: 3_900, reference: "R-1", amount_paid: 900 });
    const folded = /<h1>Bread<\/h1>\s*<details class="fold">(.*?)<\/details>(.*?)<form /s.exec(text);
    expect(folded?.[1]).toMatch(/^<summary>Rye<\/summary>.*Rye.*Total/s);
    expect(folded?.[2]).toMatch(/Paid so far.*R-1/s);
    expect(textOf({})).not.toContain("<details");
  });

  it.each([
    ["en", "Rye and 2 more items"],
    ["de", "Rye und 2 weitere Posten"],
    ["fr", "Rye et 2 autres articles"],
    ["es", "Rye y 2 artículos más"],
    ["ja", "Ryeほか2件"],
    ["ar", "\u2068Rye\u2069 وبندان آخران"],
  ])("are named above the fold (%s)", (locale, words) => {
    const three = [...lines, ...lines, ...lines];
    expect(textOf({ lines: three }, locale)).toContain(`<summary>${words}</summary>`);
    const long = [{ ...lines[0], name: "Rye ".repeat(40).trim() }] as PayPage["lines"];
    expect(textOf({ lines: long }, locale)).toContain(`<summary>${"Rye ".repeat(12)}R…</summary>`);
  });

  it.each(["paid", "refunded", "processing"] as const)("are always shown on a page that is %s", (state) => {
    const text = textOf({ lines, state });
    expect(text).toContain("Rye");
    expect(text).not.toContain("<details");
  });

  it.each(["expired", "canceled"] as const)("and the amount are left out once it is %s", (state) => {
    expect(textOf({ lines, state })).not.toMatch(/Rye|€39\.00/);
    expect(textOf({ lines, state, amount_paid: 900 })).toMatch(/Paid so far<\/dt><dd>€9\.00/);
  });
});

describe("the card form", () => {
  it("is filled in by the browser with a real card in live mode only", () => {
    const filled = (text: string) => [...text.matchAll(/autocomplete="([^"]+)"/g)].map(([, value]) => value);
    expect(filled(textOf({ livemode: true }))).toEqual(["cc-number", "cc-exp", "cc-csc"]);
    expect(filled(textOf({}))).toEqual(["off", "off", "off"]);
    expect(textOf({})).toContain("Real cards are refused");
    expect(textOf({ livemode: true })).not.toMatch(/4242|test card/);
  });

  it("is checked by us, and the first wrong field has the focus", () => {
    const text = textOf({}, "en", ["security_code_invalid", "expiry_past"]);
    expect(text).toContain(" novalidate>");
    expect(text.match(/ autofocus/g)).toHaveLength(1);
    expect(text).toMatch(/<input id="expiry"[^>]* autofocus>/);
    expect(text).toMatch(/<input id="security_code"[^>]* aria-invalid="true">/);
  });

  it("has the reason of a decline right above it, with the focus", () => {
    const text = textOf({ last_error_code: "insufficient_funds" });
    expect(text).toMatch(/<h1>Bread<\/h1>[\s\S]*role="alert" tabindex="-1" autofocus>[\s\S]*<form /);
    expect(text.match(/ autofocus/g)).toHaveLength(1);
  });

  it.each(["en", "de", "fr", "es", "ja", "ar"] as const)(
    "says of a trial that the card was not stored: %s",
    (language) => {
      const subscription = { interval: "month", interval_count: 1, trial_days: 7, is_renewal: false } as never;
      for (const code of ["not_received", "authentication_failed", "authentication_abandoned", "card_declined"]) {
        const paid = textOf({ last_error_code: code }, language);
        const stored = textOf({ last_error_code: code, subscription }, language);
        const noticeOf = (text: string) =>
          /role="alert"[^>]*>.*?<h2>(.*?)<\/h2><p>(.*?)<\/p>/s.exec(text)?.slice(1) ?? [];
        const [[title, reason], [other, why]] = [noticeOf(stored), noticeOf(paid)];
        expect(title).not.toBe(other);
        if (code === "card_declined") expect(reason).toBe(why);
        else expect(reason).not.toBe(why);
        if (language === "en") expect(`${title} ${reason}`).not.toContain("payment");
      }
    },
  );
});

describe("the deadline", () => {
  const at = (ms: number) => ({ expires_at: new Date(now + ms).toISOString() });

  it.each([
    // At 13:00 in Vienna, the last whole day is the one before.
    [at(30 * dayMs), "Pay by December 19, 2026<"],
    [{ expires_at: "2026-12-20T22:59:59Z" }, "Pay by December 20, 2026<"],
    [at(2 * dayMs), "Pay by November 21, 2026<"],
    [at(2 * dayMs - 1), "Pay by November 22, 2026 at 12:59 PM GMT+1<"],
    [at(hourMs), "Pay by November 20, 2026 at 2:00 PM GMT+1<"],
    [{ ...at(hourMs), due_at: "2026-12-24T12:00:00Z" }, "Due December 24, 2026<"],
  ])("%o: %s", (given, expected) => expect(textOf(given)).toContain(expected));
});

describe("a subscription", () => {
  const monthly = {
    type: "subscription",
    subscription: { interval: "month", interval_count: 1, trial_days: null, is_renewal: false },
  } as const;

  it("says how often it is charged, what the button pays for, and that no charge follows by itself", () => {
    const text = textOf(monthly);
    expect(text).toContain('<p class="amount">€39.00 <small>every month</small></p>');
    expect(text).toContain(">Pay €39.00 for the first month</button>");
    expect(text).toContain("Your card is stored, and charged again for each period");
    expect(textOf({ ...monthly, state: "paid" })).not.toContain("charged again for each period");
    expect(textOf({})).not.toContain("charged again for each period");
  });

  it("says so in German, and for other intervals", () => {
    expect(textOf(monthly, "de")).toContain(">39,00 € für den ersten Monat bezahlen</button>");
    const quarterly = {
      ...monthly,
      subscription: { interval: "month", interval_count: 3, trial_days: null, is_renewal: false },
    } as const;
    expect(textOf(quarterly)).toContain(">Pay €39.00 for the first 3 months</button>");
    expect(textOf({ ...monthly, capture_method: "manual" })).toContain("Bakery charges it later");
  });
});
