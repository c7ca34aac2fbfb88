// The form's values as an API request, and a payment request as values of the form.
import { describe, expect, it } from "vitest";
import { endOfDay } from "@/app/_ui/day-bounds";
import { wholeNumberOf } from "@/app/_ui/whole-number";
import { newPayment } from "@/server/domains/payments/input-schema";
import { changesOf, contentOf } from "./content-values";
import { basisPointsOf, blankLine, linesTotal } from "./line-values";
import { needsMore } from "./needs-more";
import { blankValues, changedByName, type RequestValues, requestOf } from "./request-values";
import { addressedTo, savedValues } from "./saved-values";

const account = "acct_01kacz7q4v8n2j5s6t3w9x0y1r";
const typed = (given: Partial<RequestValues>): RequestValues => ({
  ...blankValues("EUR", account),
  description: "Cake",
  amount: "12.50",
  ...given,
});

describe("the API request", () => {
  it("leaves out empty fields", () => {
    expect(requestOf(typed({ account: "" }), "en")).toEqual({
      type: "product",
      currency: "EUR",
      amount: 1250,
      description: "Cake",
    });
  });

  it("has equal installments, or any part from the smallest, unless it is a hold or a subscription", () => {
    const plan = typed({ parts: "installments", installmentCount: "3", firstDue: "2030-01-31" });
    const installments = [
      { amount: 417, due_at: "2030-01-31" },
      { amount: 417, due_at: "2030-02-28" },
      { amount: 416, due_at: "2030-03-31" },
    ];
    expect(requestOf(plan, "en")).toMatchObject({ installments });
    expect(newPayment.safeParse(requestOf(plan, "en")).success).toBe(true);
    expect(requestOf({ ...plan, capture: "manual" }, "en")).not.toHaveProperty("installments");
    const free = typed({ parts: "any", minimum: "5" });
    expect(requestOf(free, "en")).toMatchObject({ allow_partial: true, minimum_amount: 500 });
    expect(requestOf({ ...free, minimum: "" }, "en")).not.toHaveProperty("minimum_amount");
  });

  it("contains every typed value, and the server accepts it", () => {
    const values = typed({
      type: "subscription",
      interval: "week",
      intervalCount: "2",
      cycles: "12",
      email: " grace@example.com ",
      customer: "Grace",
      capture: "manual",
      reminders: "-1, -3",
      reference: " A-1 ",
      locale: "de",
      returnUrl: "https://shop.example.com",
      expires: "2030-05-01",
      due: "2030-01-01",
      metadata: [
        { key: " order ", value: "77" },
        { key: "", value: "lost" },
      ],
    });
    const request = requestOf(values, "en");
    expect(request).toEqual({
      type: "subscription",
      currency: "EUR",
      amount: 1250,
      description: "Cake",
      account_id: account,
      subscription: { interval: "week", interval_count: 2, cycles: 12 },
      customer: { name: "Grace", email: "grace@example.com" },
      capture_method: "manual",
      reminders: { offsets_days: [-3, -1] },
      reference: "A-1",
      locale: "de",
      success_url: "https://shop.example.com",
      expires_at: new Date("2030-05-01T23:59:59.999").toISOString(),
      metadata: { order: "77" },
    });
    expect(newPayment.safeParse(request).success).toBe(true);
  });

  it("has line items instead of an amount, parsed in the reader's locale", () => {
    const lines = [
      { ...blankLine, name: "Cabinets", quantity: "3", price: "1.200,00", tax: "19" },
      { ...blankLine, name: "Delivery", price: "80", discount: "30", tax: "7,5 %" },
    ];
    const request = requestOf(typed({ amount: "", lines }), "de");
    expect(request.amount).toBeUndefined();
    expect(request.line_items).toEqual([
      { name: "Cabinets", quantity: 3, unit_amount: 120_000, tax_rate_bp: 1900 },
      { name: "Delivery", quantity: 1, unit_amount: 8000, discount_amount: 3000, tax_rate_bp: 750 },
    ]);
    expect(linesTotal(lines, "EUR", "de")).toBe(428_400 + 5375);
  });

  it("is never made from an amount that the form refuses", () => {
    expect(() => requestOf(typed({ amount: "12.505" }), "en")).toThrow();
    expect(() => requestOf(typed({ lines: [{ ...blankLine, name: "Half", price: "?" }] }), "en")).toThrow();
  });
});

it.each([
  ["", null],
  ["0", 0],
  ["19", 1900],
  ["7.5%", 750],
  ["100", 10_000],
  ["100.01", undefined],
  ["-1", undefined],
  ["a lot", undefined],
])("%j is %s hundredths of a percent", (text, points) => {
  expect(basisPointsOf(text, "en")).toBe(points);
});

it.each([
  ["1", 1],
  [" 12 ", 12],
  ["0", null],
  ["1.5", null],
  ["13", null],
  ["", null],
])("%j is the whole number %s", (text, number) => {
  expect(wholeNumberOf(text, 12, "en")).toBe(number);
});

it("lines without a valid sum have none", () => {
  expect(linesTotal([{ ...blankLine, name: "Cake" }], "EUR", "en")).toBeNull();
  expect(linesTotal([{ ...blankLine, name: "Cake", price: "1", discount: "2" }], "EUR", "en")).toBeNull();
});

it("lines without tax have its category and the reason, as long as their rate is 0", () => {
  const line = { ...blankLine, name: "Course", price: "50", unit: "HUR", exemption: " Art. 132 " };
  const itemOf = (given: Partial<typeof line>) => {
    const request = requestOf(typed({ amount: "", lines: [{ ...line, ...given }] }), "en");
    expect(newPayment.safeParse(request).success).toBe(true);
    return request.line_items?.[0];
  };
  const item = { name: "Course", quantity: 1, unit_amount: 5000, unit: "HUR" };
  const reason = { tax_exemption_reason: "Art. 132" };
  expect(itemOf({ tax: "0 %", category: "E" })).toEqual({ ...item, tax_rate_bp: 0, tax_category: "E", ...reason });
  expect(itemOf({ tax: "0", category: "AE", exemption: "" })).toEqual({ ...item, tax_rate_bp: 0, tax_category: "AE" });
  expect(itemOf({ tax: "0", category: "O" })).toEqual({ ...item, tax_category: "O", ...reason });
  expect(itemOf({ tax: "0", category: "Z" })).toEqual({ ...item, tax_rate_bp: 0 });
  expect(itemOf({ tax: "19", category: "E" })).toEqual({ ...item, tax_rate_bp: 1900 });
  expect(itemOf({ tax: "", category: "E" })).toEqual(item);
});

it("what is not subject to tax is shown as a rate of 0 again", () => {
  const lines = [{ ...blankLine, name: "Deposit", price: "50.00", tax: "0", category: "O" as const }];
  const request = requestOf(typed({ amount: "", lines }), "en");
  const [item] = request.line_items ?? [];
  const saved = { ...item, tax_rate_bp: null, discount_amount: null, tax_exemption_reason: null, unit: null };
  const payment = { ...request, line_items: [saved], metadata: {}, customer: null, installments: null };
  const answer = { ...payment, minimum_amount: null, custom_amount: null, usage_limit: 1, subscription: null };
  const zones = { timeZone: "UTC", dueTimeZone: "UTC" };
  const again = savedValues({ ...answer, expires_at: null, due_at: null } as never, "en", zones);
  expect(again.lines).toEqual(lines);
});

it("a saved payment request says the same in the form, and nothing of it has changed", () => {
  const values = typed({
    type: "invoice",
    customer: "Grace",
    email: "grace@example.com",
    capture: "manual",
    locale: "de",
    returnUrl: "https://shop.example.com",
    reference: "A-1",
    due: "2030-01-01",
    expires: "2030-02-01",
    reminders: "-3, 0",
    lines: [
      { ...blankLine, name: "Cabinets", quantity: "3", price: "1200.50", discount: "10.00", tax: "19.00" },
      { ...blankLine, name: "Advice", quantity: "3", unit: "HUR", price: "100.00", tax: "0" },
      { ...blankLine, name: "Course", unit: "X4A", price: "50.00", tax: "0", category: "E", exemption: "Teaching" },
      { ...blankLine, name: "Book", price: "5.00" },
    ],
    metadata: [{ key: "order", value: "77" }],
  });
  const request = requestOf(values, "en");
  const planned = [-3, 0].map((offset_days) => ({ offset_days, sent_at: null, skipped_reason: null }));
  const answer = {
    ...request,
    line_items: newPayment.parse(request).line_items?.map((line) => ({
      ...{ tax_rate_bp: null, discount_amount: null, tax_category: null, tax_exemption_reason: null, unit: null },
      ...line,
    })),
    amount: 462_500,
    subscription: null,
    reminders: planned,
    installments: null,
    minimum_amount: null,
    usage_limit: 1,
    custom_amount: null,
  };
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const again = savedValues(answer as unknown as Parameters<typeof savedValues>[0], "en", {
    timeZone,
    dueTimeZone: "UTC",
  });
  expect(needsMore(again)).toBe(true);
  expect(requestOf(again, "en")).toEqual(request);
  expect(changesOf(contentOf(again, "en"), contentOf({ ...again }, "en"))).toEqual({});
  const cleared = {
    ...again,
    reference: "",
    metadata: [],
    description: "",
    lines: [],
    amount: "5.00",
    type: "product",
  };
  expect(changesOf(contentOf(again, "en"), contentOf(cleared as typeof again, "en"))).toEqual({
    ...{ type: "product", amount: 500, line_items: null, description: null, due_at: null, reference: null },
    metadata: { order: null },
  });
  expect(needsMore(typed({}))).toBe(false);
});

describe("saved installments", () => {
  const plan = typed({ parts: "installments", installmentCount: "3", firstDue: "2030-01-31" });
  const request = requestOf(plan, "en");
  const saved = (status: string, dueTimeZone: string, moved = 0) => {
    const installments = request.installments?.map((one) => ({
      amount: one.amount,
      due_at: new Date(Date.parse(endOfDay(one.due_at, dueTimeZone) ?? "") - 1 + moved).toISOString(),
    }));
    const answer = { ...request, ...{ status, installments, due_at: installments?.[0]?.due_at, metadata: {} } };
    const payment = {
      ...answer,
      customer: null,
      line_items: [],
      subscription: null,
      expires_at: null,
      minimum_amount: null,
      usage_limit: 1,
      custom_amount: null,
    };
    const zones = { timeZone: "UTC", dueTimeZone };
    return savedValues(payment as unknown as Parameters<typeof savedValues>[0], "en", zones);
  };

  it("are monthly ones again in the form of a draft, by the account's time zone", () => {
    for (const zone of ["UTC", "Pacific/Auckland", "America/New_York"]) {
      const again = saved("draft", zone);
      expect(again).toMatchObject({ parts: "installments", installmentCount: "3", firstDue: "2030-01-31", due: "" });
      expect(contentOf(again, "en").installments).toEqual(request.installments);
    }
  });

  it("stay as they are if they are open, or the form could not have made them", () => {
    for (const again of [saved("pending", "UTC"), saved("draft", "UTC", 5)]) {
      expect(again).toMatchObject({ parts: "kept", plan: [{ amount: 417 }, { amount: 417 }, { amount: 416 }] });
      expect(changesOf(contentOf(again, "en"), contentOf({ ...again, description: "New" }, "en"))).toEqual({
        description: "New",
      });
      expect(contentOf({ ...again, parts: "none" }, "en").installments).toBeNull();
    }
  });
});

it("a correction of the name keeps the customer, and another e-mail address does not", () => {
  const customer = {
    customer_id: "cus_1",
    name: "Alan",
    email: "alan@example.com",
    reference: "C-1",
    metadata: { a: "b" },
  };
  const subscription = { interval: "month", interval_count: 1, trial_days: 14, cycles: null };
  const saved = {
    ...requestOf(typed({}), "en"),
    type: "subscription",
    subscription,
    customer,
    line_items: [],
    installments: null,
    metadata: {},
    usage_limit: 1,
  };
  const again = savedValues(saved as unknown as Parameters<typeof savedValues>[0], "en", {
    timeZone: "UTC",
    dueTimeZone: "UTC",
  });
  const renamed = contentOf({ ...again, customer: "Alan Turing", intervalCount: "2" }, "en");
  expect(renamed.customer).toEqual({ ...customer, name: "Alan Turing" });
  expect(renamed.subscription).toMatchObject({ interval_count: 2, trial_days: 14 });
  const other = contentOf({ ...again, email: "ada@example.com" }, "en");
  expect(other.customer).toEqual({ name: "Alan", email: "ada@example.com" });
});

describe("another name than that of the customer who was chosen", () => {
  const lise = { customer_id: "cus_1", name: "Lise Meitner", email: "lise@example.com" };
  const chosen = typed(addressedTo(lise));

  it("is another customer's, without the e-mail address of the one before", () => {
    const changed = changedByName("Bob Builder", chosen);
    const request = requestOf({ ...chosen, customer: "Bob Builder", ...changed }, "en");
    expect(request.customer).toEqual({ name: "Bob Builder", email: null });
    expect(requestOf({ ...chosen, customer: "", ...changedByName("", chosen) }, "en").customer).toBeUndefined();
  });

  it("leaves an e-mail address that was typed", () => {
    const own = { ...chosen, email: "bob@example.com" };
    expect(changedByName("Bob Builder", own)).toEqual({ kept: { customer: { email: "" } } });
  });

  it("changes nothing while it is the same, or nobody was chosen", () => {
    expect(changedByName("Lise Meitner ", chosen)).toEqual({});
    expect(requestOf(chosen, "en").customer).toEqual(lise);
    expect(changedByName("Bob Builder", typed({ email: "lise@example.com" }))).toEqual({});
  });

  it("counts in a draft, too", () => {
    const saved = {
      ...requestOf(chosen, "en"),
      status: "draft",
      line_items: [],
      installments: null,
      subscription: null,
    };
    const draft = { ...saved, metadata: {}, usage_limit: 1 } as unknown as Parameters<typeof savedValues>[0];
    const again = savedValues(draft, "en", { timeZone: "UTC", dueTimeZone: "UTC" });
    expect(changedByName("Bob Builder", again)).toEqual({ kept: { customer: { email: "" } }, email: "" });
  });
});
