// The core operations of payment requests and transactions as an API client uses them: every field, every code.
import { expect } from "playwright/test";
import { test } from "./described";
import { answered, type Body, dayMs, near, refused } from "./documented";
import { newMember, receive, requestPayment, type TransactionBody, unique } from "./people";
import { absentId, expectRecord, idOf, recordFields } from "./records";

test.describe("POST /v1/payments", () => {
  const create = (token: string, body: Body) => ["POST", "/v1/payments", { token, body }] as const;

  test("200: a payment request with every field; absent ones are null", async ({ described: api }) => {
    const { token, accountId } = await newMember(api);
    const payment = await answered(api, ...create(token, { type: "product", amount: 1250, currency: "eur" }));
    expectRecord(payment, recordFields.payment);
    expect(payment).toMatchObject({
      payment_id: expect.stringMatching(idOf("pay")),
      account_id: accountId,
      type: "product",
      status: "pending",
      amount: 1250,
      currency: "EUR",
      description: null,
      reference: null,
      customer: null,
      subscription: null,
      locale: null,
      due_at: null,
      amount_paid: 0,
      amount_due: 1250,
      amount_refunded: 0,
      capture_method: "automatic",
      livemode: false,
      receipt_url: null,
      pdf_url: null,
      pdf_problem: null,
      invoice: null,
      invoice_number: null,
      last_error: null,
      metadata: {},
      transaction_ids: [],
      paid_at: null,
      canceled_at: null,
      cancellation_reason: null,
      ...{ dispute_status: "none", amount_lost: 0, paid_late_at: null },
      viewed_at: null,
      capture_before: null,
    });
    expect(String(payment.payment_url)).toMatch(/^http:\/\/.+\/pay\/\w{20,}/);
    expect(String(payment.payment_url)).not.toContain(String(payment.payment_id).slice(4));
    near(payment.expires_at, Date.now() + 30 * dayMs);
  });

  test("200: line items add up with tax rounded half up; a subscription; an invoice", async ({ described: api }) => {
    const { token } = await newMember(api);
    const line = { name: "Bread", quantity: 3, unit_amount: 335, tax_rate_bp: 1000, discount_amount: 5 };
    const noTerms = { tax_category: null, tax_exemption_reason: null, unit: null, adjustable_quantity: null };
    const customer = { name: "Grace", email: "grace@example.com", metadata: { tier: "gold" } };
    const body = {
      type: "invoice",
      currency: "EUR",
      line_items: [line],
      due_at: "2030-01-02T03:04:05+01:00",
      customer,
    };
    const invoice = await answered(api, ...create(token, body));
    // 3 * 335 - 5 = 1000, plus 10 % tax.
    expect(invoice).toMatchObject({ amount: 1100, expires_at: null, due_at: "2030-01-02T02:04:05.000Z" });
    expect(invoice.line_items).toEqual([{ ...line, ...noTerms }]);
    expectRecord(invoice.customer, recordFields.paymentCustomer);
    expect(invoice.customer).toEqual({ ...customer, reference: null, customer_id: expect.stringMatching(idOf("cus")) });
    const half = { name: "Half", quantity: 1, unit_amount: 5, tax_rate_bp: 1000 };
    const rounded = await answered(api, ...create(token, { type: "product", currency: "EUR", line_items: [half] }));
    expect(rounded.amount).toBe(6);
    expectRecord((rounded.line_items as unknown[])[0], recordFields.lineItem);
    const subscription = { interval: "month", interval_count: 3 };
    const request = { type: "subscription", amount: 900, currency: "JPY", subscription };
    expect(await answered(api, ...create(token, request))).toMatchObject({
      subscription: { interval: "month", interval_count: 3, trial_days: null, cycles: null },
    });
  });

  test("400: amounts, references, accounts and reserved fields", async ({ described: api }) => {
    const { token } = await newMember(api);
    const other = await newMember(api);
    const valid = { type: "product", amount: 100, currency: "EUR" };
    const refuse = (code: string, given: Body) => refused(api, [400, code], ...create(token, { ...valid, ...given }));
    const line = { name: "Bread", quantity: 1, unit_amount: 99 };
    await refuse("amount_mismatch", { line_items: [line] });
    await answered(api, ...create(token, { ...valid, reference: "A-1" }));
    await refuse("duplicate_reference", { reference: "A-1" });
    await refuse("account_not_found", { account_id: other.accountId });
    for (const [field, value] of Object.entries({
      send: true,
      draft: "yes",
      reminders: {},
      allow_partial: "yes",
      minimum_amount: 5,
      installments: [],
      usage_limit: 0,
      custom_amount: { minimum: 1, maximum: 5 },
      status: "paid",
      payment_id: absentId("pay"),
      amount: 0,
      currency: "XXQ",
      type: "gift",
      capture_method: "never",
      subscription: { interval: "day" },
      success_url: "http://example.com",
      metadata: { "a b": "1" },
      customer: { name: 5 },
      locale: "x",
      line_items: [{ ...line, quantity: 1.5 }],
      expires_at: "tomorrow",
      due_at: "2030-01-01",
    })) {
      expect(await refuse("invalid_request", { [field]: value })).toContain(field);
    }
    for (const amount of [1_000_000_000_000, -1, 1.5, "100", null]) {
      expect(await refuse("invalid_request", { amount })).toContain("amount");
    }
    expect(await refuse("invalid_request", { type: "subscription" })).toContain("subscription");
    await answered(api, ...create(token, { ...valid, amount: 999_999_999_999 }));
  });
});

test.describe("GET /v1/payments/{payment_id}/status", () => {
  test("200: every field, before and after a payment and a refund", async ({ described: api }) => {
    const person = await newMember(api);
    const { payment_id } = await requestPayment(api, person, 1250);
    const path = `/v1/payments/${payment_id}/status`;
    const pending = await answered(api, "GET", path, { token: person.token });
    expectRecord(pending, recordFields.paymentStatus);
    expect(pending).toMatchObject({
      payment_id,
      status: "pending",
      amount: 1250,
      currency: "EUR",
      amount_paid: 0,
      amount_due: 1250,
      dispute_status: "none",
      last_error: null,
      next_action: null,
      transaction_ids: [],
    });
    const { transaction_id } = await receive(api, person, 1250, { payment_id });
    const paid = await answered(api, "GET", path, { token: person.token });
    expect(paid).toMatchObject({ status: "paid", amount_paid: 1250, amount_due: 0, transaction_ids: [transaction_id] });
    await answered(api, "POST", "/v1/transactions", {
      token: person.token,
      body: { type: "refund", parent_transaction_id: transaction_id, amount: 250 },
    });
    const partly = await answered(api, "GET", path, { token: person.token });
    expect(partly).toMatchObject({ status: "partially_refunded", amount_refunded: 250 });
  });

  test("400 payment_not_found, the same for a malformed id", async ({ described: api }) => {
    const { token } = await newMember(api);
    for (const id of [absentId("pay"), "nothing", absentId("txn")]) {
      await refused(api, [400, "payment_not_found"], "GET", `/v1/payments/${id}/status`, { token });
    }
    await refused(api, [401, "unauthorized"], "GET", `/v1/payments/${absentId("pay")}/status`);
  });
});

test.describe("POST /v1/transactions", () => {
  const create = (token: string, body: Body) => ["POST", "/v1/transactions", { token, body }] as const;

  test("200: a payment with every field", async ({ described: api }) => {
    const { token, accountId } = await newMember(api);
    const payment = await answered(
      api,
      ...create(token, {
        type: "payment",
        amount: 1000,
        currency: "EUR",
        reference: "R-1",
        metadata: { order: "7" },
        effective_at: "2026-01-31T23:30:00-01:00",
      }),
    );
    expectRecord(payment, recordFields.transaction);
    expect(payment).toMatchObject({
      transaction_id: expect.stringMatching(idOf("txn")),
      account_id: accountId,
      type: "payment",
      status: "succeeded",
      direction: "in",
      amount: 1000,
      currency: "EUR",
      fee_amount: 0,
      net_amount: 1000,
      amount_captured: 1000,
      amount_refunded: 0,
      reference: "R-1",
      metadata: { order: "7" },
      effective_at: "2026-02-01T00:30:00.000Z",
      customer: null,
      parent_transaction_id: null,
      destination_account_id: null,
      failure: null,
      provider_reference: null,
    });
  });

  test("200: partial refunds until nothing remains to refund", async ({ described: api }) => {
    const person = await newMember(api);
    const customer = { name: "Grace", email: "grace@example.com" };
    const given = { customer, metadata: { order: "7" }, reference: "R-1" };
    const { transaction_id: parent_transaction_id } = await receive(api, person, 1000, given);
    const refund = (body: Body) => create(person.token, { type: "refund", parent_transaction_id, ...body });
    const first = await answered(api, ...refund({ amount: 400, currency: "eur", reason: "duplicate" }));
    expectRecord(first, recordFields.transaction);
    expect(first).toMatchObject({ type: "refund", direction: "out", amount: 400, parent_transaction_id });
    expect(first).toMatchObject({ customer, metadata: {}, reference: null, reason: "duplicate" });
    const parent = `/v1/transactions/${parent_transaction_id}`;
    expect(await answered(api, "GET", parent, { token: person.token })).toMatchObject({ status: "partially_refunded" });
    await refused(api, [400, "refund_exceeds_captured"], ...refund({ amount: 601 }));
    expect(await answered(api, ...refund({}))).toMatchObject({ amount: 600 });
    await refused(api, [400, "refund_exceeds_captured"], ...refund({}));
    const done = await answered(api, "GET", parent, { token: person.token });
    expect(done).toMatchObject({ status: "refunded", amount_refunded: 1000 });
  });

  test("200: a transfer is one row, incoming for one account and outgoing for the other", async ({
    described: api,
    adminToken,
  }) => {
    const [from, to] = [await newMember(api), await newMember(api)];
    await receive(api, from, 500);
    const body = { type: "transfer", destination_account_id: to.accountId, amount: 500, currency: "EUR" };
    const transfer = await answered<TransactionBody & Body>(api, ...create(from.token, body));
    expectRecord(transfer, recordFields.transaction);
    expect(transfer).toMatchObject({ account_id: from.accountId, direction: "out", status: "succeeded" });
    const seen = await answered(api, "GET", `/v1/transactions/${transfer.transaction_id}`, { token: to.token });
    expect(seen).toMatchObject({ direction: "in", amount: 500 });
    await refused(api, [400, "insufficient_balance"], ...create(from.token, { ...body, amount: 1 }));
    const account = await answered(api, "GET", `/v1/accounts/${to.accountId}`, { token: adminToken });
    expect(account.balances).toEqual([
      { currency: "EUR", available: 500, pending: 0, held: 0, held_for_refunds: 0, held_for_disputes: 0 },
    ]);
    expectRecord((account.balances as unknown[])[0], recordFields.balance);
  });

  test("200: credits and adjustments, by admins only", async ({ described: api, adminToken }) => {
    const { accountId: account_id, token } = await newMember(api);
    const credit = { type: "credit", account_id, amount: 300, currency: "EUR" };
    const adjust = { ...credit, type: "adjustment", direction: "out", reason: "correction", amount: 100 };
    expect(await answered(api, ...create(adminToken, credit))).toMatchObject({ type: "credit", direction: "in" });
    const adjusted = await answered(api, ...create(adminToken, adjust));
    expect(adjusted).toMatchObject({ direction: "out", reason: "correction", net_amount: -100 });
    await refused(api, [400, "insufficient_permissions"], ...create(token, credit));
    await refused(api, [400, "insufficient_permissions"], ...create(token, adjust));
    const account = await answered(api, "GET", `/v1/accounts/${account_id}`, { token });
    expect(account.balances).toEqual([
      { currency: "EUR", available: 200, pending: 0, held: 0, held_for_refunds: 0, held_for_disputes: 0 },
    ]);
  });

  test("400: balances, accounts, references, fields of another transaction type", async ({ described: api }) => {
    const [person, other] = [await newMember(api), await newMember(api)];
    const { transaction_id } = await receive(api, person, 100, { reference: "once" });
    const refuse = (code: string, body: Body) => refused(api, [400, code], ...create(person.token, body));
    const money = { amount: 10, currency: "EUR" };
    const to = (destination_account_id: string) => ({ type: "transfer", ...money, destination_account_id });
    await refuse("duplicate_reference", { type: "payment", ...money, reference: "once" });
    await refuse("same_account_transfer", to(person.accountId));
    await refuse("account_not_found", to(absentId("acct")));
    await refuse("account_not_found", { type: "payment", ...money, account_id: other.accountId });
    await refuse("insufficient_balance", { ...to(other.accountId), currency: "USD" });
    await refuse("transaction_not_found", { type: "refund", parent_transaction_id: absentId("txn") });
    await refuse("currency_mismatch", { type: "refund", parent_transaction_id: transaction_id, currency: "USD" });
    await refuse("payment_not_found", { type: "payment", ...money, payment_id: absentId("pay") });
    const payment = { type: "payment", ...money };
    for (const [field, value] of Object.entries({
      destination_account_id: other.accountId,
      parent_transaction_id: transaction_id,
      direction: "in",
      status: "succeeded",
      fee_amount: 0,
      amount: 0,
      currency: "EURO",
      effective_at: "yesterday",
      metadata: { k: 1 },
      reference: "",
      description: "x".repeat(281),
    })) {
      expect(await refuse("invalid_request", { ...payment, [field]: value })).toContain(field);
    }
    await answered(api, "DELETE", "/v1/auth/close", { token: other.token });
    await refuse("account_closed", to(other.accountId));
  });

  test("400 insufficient_balance: a refund above the account's balance", async ({ described: api }) => {
    const [person, other] = [await newMember(api), await newMember(api)];
    const { transaction_id } = await receive(api, person, 100);
    const away = { type: "transfer", destination_account_id: other.accountId, amount: 60, currency: "EUR" };
    await answered(api, ...create(person.token, away));
    const refund = { type: "refund", parent_transaction_id: transaction_id };
    await refused(api, [400, "insufficient_balance"], ...create(person.token, refund));
    expect(await answered(api, ...create(person.token, { ...refund, amount: 40 }))).toMatchObject({ amount: 40 });
  });
});

test.describe("GET /v1/transactions", () => {
  test("200: pages skip no rows while rows are added", async ({ described: api }) => {
    const person = await newMember(api);
    const ids: string[] = [];
    for (const amount of [1, 2, 3, 4, 5]) ids.unshift((await receive(api, person, amount)).transaction_id);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? "" : `&cursor=${cursor}`;
      const page: { data: TransactionBody[]; next_cursor: string | null; has_more: boolean } = await answered(
        api,
        ...(["GET", `/v1/transactions?limit=2${query}`, { token: person.token }] as const),
      );
      expectRecord(page, recordFields.page);
      for (const row of page.data) expectRecord(row, recordFields.transaction);
      expect(page.has_more).toBe(page.next_cursor !== null);
      seen.push(...page.data.map((row) => row.transaction_id));
      cursor = page.next_cursor;
      await receive(api, person, 9);
    } while (cursor !== null);
    // Rows of the same millisecond may come in any order.
    expect(seen.sort()).toEqual(ids.sort());
  });

  test("200: every filter", async ({ described: api }) => {
    const person = await newMember(api);
    const { payment_id } = await requestPayment(api, person, 700);
    const customer = { name: "Grace Hopper", email: "Grace@Example.com", reference: "C-9", metadata: { tier: "gold" } };
    const given = { payment_id, customer, reference: "R-77", description: "Blue bicycle", metadata: { order: "7" } };
    const { transaction_id: id } = await receive(api, person, 700, given);
    const other = await receive(api, person, 50, { currency: "USD" });
    const refund = await api<TransactionBody>("POST", "/v1/transactions", {
      token: person.token,
      body: { type: "refund", parent_transaction_id: other.transaction_id },
    });
    const refundId = refund.body.transaction_id;
    const day = new Date(Date.now() + dayMs).toISOString().slice(0, 10);
    for (const [query, expected] of [
      ["", [refundId, other.transaction_id, id]],
      [`account_id=${person.accountId}&limit=100`, [refundId, other.transaction_id, id]],
      ["status=refunded", [other.transaction_id]],
      ["status=succeeded&type=payment", [id]],
      ["type=refund,payment", [refundId, other.transaction_id, id]],
      ["metadata[order]=7", [id]],
      ["metadata%5Border%5D=8", []],
      ["customer_metadata[tier]=gold", [id]],
      ["customer_email=grace%40example.com", [id]],
      ["customer_reference=C-9", [id]],
      [`payment_id=${payment_id}`, [id]],
      [`parent_transaction_id=${other.transaction_id}`, [refundId]],
      ["currency=usd", [refundId, other.transaction_id]],
      ["amount_min=700&amount_max=700", [id]],
      ["reference=R-77", [id]],
      ["q=bicy+hopp", [id]],
      ["q=icycle", []],
      [`q=${id}`, [id]],
      [`created_from=${day}`, []],
      [`created_to=${day}&reference=R-77`, [id]],
      ["created_to=2020-01-01T00:00:00%2B02:00", []],
    ] as const) {
      const page = await answered<{ data: TransactionBody[] }>(
        api,
        ...(["GET", `/v1/transactions?${query}`, { token: person.token }] as const),
      );
      expect(
        page.data.map((row) => row.transaction_id),
        query,
      ).toEqual(expected);
    }
  });

  test("400 invalid_request, invalid_cursor", async ({ described: api }) => {
    const person = await newMember(api);
    for (const _ of [1, 2]) await receive(api, person, 1);
    const list = (query: string) => ["GET", `/v1/transactions?${query}`, { token: person.token }] as const;
    for (const query of [
      "odd=1",
      "status=odd",
      "type=",
      "created_from=x",
      "amount_min=1.5",
      "metadata=x",
      "currency=EURO",
    ]) {
      await refused(api, [400, "invalid_request"], ...list(query));
    }
    const page = await answered<{ next_cursor: string }>(api, ...list("limit=1"));
    await refused(api, [400, "invalid_cursor"], ...list(`limit=1&type=payment&cursor=${page.next_cursor}`));
    await answered(api, ...list(`limit=2&cursor=${page.next_cursor}`));
    await refused(api, [400, "invalid_cursor"], ...list(`cursor=${page.next_cursor.slice(0, -2)}`));
    await refused(api, [401, "unauthorized"], "GET", "/v1/transactions");
  });
});

test.describe("GET /v1/transactions/{transaction_id}", () => {
  test("200: the same record as in the response to its creation", async ({ described: api, adminToken }) => {
    const person = await newMember(api);
    const made = await receive(api, person, 100, { reference: unique() });
    const path = `/v1/transactions/${made.transaction_id}`;
    expect(await answered(api, "GET", path, { token: person.token })).toEqual(made);
    expect(await answered(api, "GET", path, { token: adminToken })).toEqual(made);
  });

  test("400 transaction_not_found: unknown, malformed, another member's", async ({ described: api }) => {
    const [person, other] = [await newMember(api), await newMember(api)];
    const { transaction_id } = await receive(api, other, 100);
    for (const id of [absentId("txn"), "txn_UPPER", "1", transaction_id]) {
      await refused(api, [400, "transaction_not_found"], "GET", `/v1/transactions/${id}`, { token: person.token });
    }
  });
});
