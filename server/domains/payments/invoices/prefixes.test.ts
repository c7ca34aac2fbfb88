// Accounts with the same tax number never give two papers the same number.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dialect } from "@/db/dialect";
import { createAccount } from "@/server/domains/accounts/operations/create";
import { getAccount } from "@/server/domains/accounts/operations/get";
import { listAccounts } from "@/server/domains/accounts/operations/list";
import { updateAccount } from "@/server/domains/accounts/operations/update";
import { accountTag, proposedPrefix } from "@/server/domains/accounts/rules";
import { verifyLedger } from "@/server/domains/ledger/verify";
import { Failure } from "@/server/kit/errors";
import { closeAccountOf } from "@/test/closing";
import { openRawAccess } from "@/test/raw-access";
import { anotherProcess, openWorld, type TestOrganization, type World } from "@/test/world";
import { createPayment } from "../operations/create";
import { finalizePayment } from "../operations/finalize";
import { getPayment } from "../operations/get";
import { markPaid } from "../operations/mark-paid";
import { refundPayment } from "../operations/refund";

let world: World;
/** Calls come from two processes if the engine supports several. */
let processes: World[];
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  processes = dialect === "postgres" ? [world, await anotherProcess(world)] : [world];
});
beforeEach(async () => {
  acme = await world.organization();
});
afterAll(async () => {
  for (const one of processes.toReversed()) await one.close();
});

const taxId = "ATU12345678";
const open = async (invoice: object, name = "Shop") => {
  const input = { account_type: "business", account_name: name, email: "shop@example.com", preferences: { invoice } };
  return (await world.call(createAccount, acme.admin.actor, input as never)).account_id;
};
const prefer = (account_id: string, invoice: object) =>
  world.call(updateAccount, acme.admin.actor, { account_id, preferences: { invoice } } as never);
const create = (account_id: string, input: object = {}, actor = acme.admin.actor) =>
  world.call(createPayment, actor, { account_id, type: "invoice", amount: 1250, currency: "EUR", ...input } as never);
const finalize = (payment_id: string, from: World = world) =>
  from.call(finalizePayment, acme.admin.actor, { payment_id });
const numberOf = async (account_id: string) => (await create(account_id)).invoice_number;
const get = (payment_id: string) => world.call(getPayment, acme.admin.actor, { payment_id });
const conflictOf = async (account_id: string, actor = acme.admin.actor) =>
  (await world.call(getAccount, actor, { account_id })).preferences.invoice.prefix_conflict;
const refusal = (call: Promise<unknown>): Promise<Failure> =>
  call.then(
    () => Promise.reject(new Error("It was not refused.")),
    (error: unknown) => (error instanceof Failure ? error : Promise.reject(error)),
  );
const proof = () => verifyLedger(world.database.url, world.runtime.keys);

describe("an invoice of an account", () => {
  it("is refused while another with the same tax number has issued some with its prefix", async () => {
    const first = await open({ tax_id: taxId, number_prefix: "INV-" }, "First");
    const second = await open({ tax_id: "atu 1234-5678", number_prefix: "INV-" });
    const draft = await create(second, { draft: true });
    expect(await numberOf(first)).toBe("INV-2026-0001");
    for (const call of [() => create(second), () => finalize(draft.payment_id)]) {
      const { code, message } = await refusal(call());
      expect(code).toBe("invoice_number_taken");
      expect(message).toContain(`First (${first})`);
      expect(message).toContain(proposedPrefix(second, "INV-"));
    }
    expect((await create(second, { type: "product" })).invoice_number).toBe(null);
    await prefer(second, { number_prefix: proposedPrefix(second, "INV-") });
    expect((await finalize(draft.payment_id)).invoice_number).toMatch(/^INV-[0-9A-F]{4}-2026-0001$/);
    expect(await numberOf(first)).toBe("INV-2026-0002");
    expect(await proof()).toMatchObject({ ok: true });
  });

  it("is refused if the prefixes differ only in case, whichever account has issued first", async () => {
    const first = await open({ number_prefix: "INV-" });
    const second = await open({ tax_id: taxId, number_prefix: "inv-" });
    expect(await numberOf(first)).toBe("INV-2026-0001");
    await prefer(first, { tax_id: taxId });
    expect((await refusal(create(second))).code).toBe("invoice_number_taken");
    expect(await numberOf(first)).toBe("INV-2026-0002");
  });

  it("is refused for a prefix whose letters look like others", async () => {
    const prefix = prefer(await open({}), { number_prefix: "ІNV-" });
    expect((await refusal(prefix)).message).toContain("must consist of the letters A to Z");
  });

  it("is refused if neither has a prefix", async () => {
    const [first, second] = [await open({ tax_id: taxId }), await open({ tax_id: taxId })];
    expect(await numberOf(second)).toBe("2026-0001");
    expect((await refusal(create(first))).code).toBe("invoice_number_taken");
    // The number that the refused call took is free again.
    await prefer(first, { number_prefix: "A/" });
    expect(await numberOf(first)).toBe("A/2026-0001");
  });

  it.each([
    ["of another tax number", { tax_id: "ATU12345679" }],
    ["without one", {}],
    ["with one that has neither letters nor digits", { tax_id: "-" }],
    ["with another prefix", { tax_id: taxId, number_prefix: "INV-2-" }],
  ])("is not refused for one %s", async (_name, invoice) => {
    await numberOf(await open({ tax_id: taxId, number_prefix: "INV-" }));
    expect(await numberOf(await open({ number_prefix: "INV-", ...invoice }))).toMatch(/2026-0001$/);
  });

  it.each([
    ["before the other", [0, 1]],
    ["after the other", [1, 0]],
  ])("is refused to the one that issued its first later, if it got the tax number %s", async (_when, order) => {
    const issuers = [await open({}, "First"), await open({}, "Second")];
    for (const one of issuers) {
      world.clock.advance(1);
      expect(await numberOf(one)).toBe("2026-0001");
    }
    for (const which of order) await prefer(issuers[which] ?? "", { tax_id: taxId });
    const [first = "", second = ""] = issuers;
    expect((await refusal(create(second))).message).toContain(`First (${first})`);
    expect(await numberOf(first)).toBe("2026-0002");
    await prefer(second, { number_prefix: "B-" });
    expect(await numberOf(second)).toBe("B-2026-0002");
  });

  it("is not refused for one whose prefix ended in a year, as if it had issued invoices without a prefix", async () => {
    const [first, second] = [await open({ number_prefix: "2026-" }), await open({})];
    expect(await numberOf(first)).toBe("2026-2026-0001");
    world.clock.advance(1);
    expect(await numberOf(second)).toBe("2026-0001");
    await prefer(first, { number_prefix: null, tax_id: taxId });
    await prefer(second, { tax_id: taxId });
    expect(await conflictOf(second)).toBe(null);
    expect(await conflictOf(first)).toMatchObject({ account_id: second });
    expect(await numberOf(second)).toBe("2026-0002");
    expect((await refusal(create(first))).code).toBe("invoice_number_taken");
  });

  it("is refused to the account with the later id, if both issued their first at the same instant", async () => {
    const ids = [await open({}), await open({})].sort();
    for (const id of ids.toReversed()) await numberOf(id);
    for (const id of ids) await prefer(id, { tax_id: taxId });
    const [first = "", second = ""] = ids;
    expect((await refusal(create(second))).message).toContain(first);
    expect(await numberOf(first)).toBe("2026-0002");
  });

  it("does not count as its account's first if it is refused", async () => {
    const [first, second] = [await open({ number_prefix: "A-" }), await open({})];
    await numberOf(first);
    await prefer(first, { number_prefix: null });
    const backdated = create(first, { invoice: { issue_date: "2026-11-19" } });
    expect((await refusal(backdated)).message).toContain("must not be before 2026-11-20");
    for (const id of [second, first]) {
      world.clock.advance(1);
      await numberOf(id);
    }
    for (const id of [first, second]) await prefer(id, { tax_id: taxId });
    expect((await refusal(create(first))).code).toBe("invoice_number_taken");
    expect(await numberOf(second)).toBe("2026-0002");
  });

  it("is not refused for one of another organization", async () => {
    await numberOf(await open({ tax_id: taxId }));
    acme = await world.organization("Globex");
    expect(await numberOf(await open({ tax_id: taxId }))).toBe("2026-0001");
  });

  it("is refused for a prefix of a closed account, and for one that the other no longer has", async () => {
    const [first, second] = [await open({ tax_id: taxId }), await open({ tax_id: taxId })];
    await numberOf(first);
    await prefer(first, { number_prefix: "NEW-" });
    expect((await refusal(create(second))).code).toBe("invoice_number_taken");
    await closeAccountOf(world, acme.admin.actor, first);
    expect((await refusal(create(second))).code).toBe("invoice_number_taken");
    await prefer(second, { number_prefix: "NEW-" });
    expect(await numberOf(second)).toBe("NEW-2026-0001");
  });

  it("does not name the other one to a member who does not see it", async () => {
    const hidden = await open({ tax_id: taxId }, "Hidden");
    await numberOf(hidden);
    const own = acme.member.accountId;
    await prefer(own, { tax_id: taxId });
    const { message } = await refusal(create(own, {}, acme.member.actor));
    expect(message).not.toContain("Hidden");
    expect(message).not.toContain(hidden);
    expect(await conflictOf(own, acme.member.actor)).toEqual({
      ...{ account_id: null, account_name: null, proposed_prefix: proposedPrefix(own, null) },
    });
  });
});

it("lets exactly one of several accounts finalize at once, and refuses the others", async () => {
  for (let round = 0; round < 5; round++) {
    const prefix = `R${round}-`;
    const ids = await Promise.all([1, 2, 3].map(() => open({ tax_id: taxId, number_prefix: prefix })));
    const drafts = await Promise.all(ids.flatMap((id) => [create(id, { draft: true }), create(id, { draft: true })]));
    const results = await Promise.allSettled(
      drafts.map(({ payment_id }, at) => finalize(payment_id, processes[at % processes.length])),
    );
    const numbers = results.flatMap((one) => (one.status === "fulfilled" ? [one.value.invoice_number] : []));
    expect(numbers.sort()).toEqual([`${prefix}2026-0001`, `${prefix}2026-0002`]);
    for (const one of results) if (one.status === "rejected") expect(one.reason.code).toBe("invoice_number_taken");
  }
  expect(await proof()).toMatchObject({ ok: true });
});

it("lets the one that issued first go on, if several without a claim finalize at once", async () => {
  for (let round = 0; round < 5; round++) {
    const prefix = `F${round}-`;
    const ids = [await open({ number_prefix: prefix }), await open({ number_prefix: prefix })];
    for (const id of ids.toReversed()) {
      expect(await numberOf(id)).toBe(`${prefix}2026-0001`);
      world.clock.advance(1);
    }
    for (const id of ids) await prefer(id, { tax_id: taxId });
    const drafts = await Promise.all(ids.flatMap((id) => [create(id, { draft: true }), create(id, { draft: true })]));
    const results = await Promise.allSettled(
      drafts.map(({ payment_id }, at) => finalize(payment_id, processes[at % processes.length])),
    );
    const issuers = results.flatMap((one) => (one.status === "fulfilled" ? [one.value.account_id] : []));
    expect(issuers).toEqual([ids[1], ids[1]]);
    for (const one of results) if (one.status === "rejected") expect(one.reason.code).toBe("invoice_number_taken");
  }
  expect(await proof()).toMatchObject({ ok: true });
});

it("gives a credit note the prefix of its invoice, whatever the account has now", async () => {
  const [first, second] = [
    await open({ tax_id: taxId, number_prefix: "A-" }),
    await open({ tax_id: taxId, number_prefix: "B-" }),
  ];
  const refunded = async (account: string, from: object) => {
    const { payment_id } = await create(account);
    await world.call(markPaid, acme.admin.actor, { payment_id, method: "cash", reason: "Till" } as never);
    await prefer(account, from);
    await world.call(refundPayment, acme.admin.actor, { payment_id });
    return (await get(payment_id)).credit_notes[0]?.credit_note_number;
  };
  expect(await refunded(second, {})).toBe("B-CN-2026-0001");
  expect(await refunded(first, { number_prefix: "B-" })).toBe("A-CN-2026-0001");
  expect((await refusal(create(first))).code).toBe("invoice_number_taken");
  expect(await proof()).toMatchObject({ ok: true });
});

describe("the warning", () => {
  it("is in the record as soon as two accounts have the same, and names the other one", async () => {
    const first = await open({ tax_id: taxId, number_prefix: "INV-" }, "First");
    expect(await conflictOf(first)).toBe(null);
    const second = await open({ number_prefix: "INV-" }, "Second");
    const before = accountTag(await world.call(getAccount, acme.admin.actor, { account_id: first }));
    const { preferences } = await prefer(second, { tax_id: "ATU 12345678" });
    expect(preferences.invoice.prefix_conflict).toEqual({
      ...{ account_id: first, account_name: "First", proposed_prefix: proposedPrefix(second, "INV-") },
    });
    expect(await conflictOf(first)).toMatchObject({ account_id: second });
    expect(accountTag(await world.call(getAccount, acme.admin.actor, { account_id: first }))).not.toBe(before);
    const { data } = await world.call(listAccounts, acme.admin.actor, {});
    const listed = data.filter(({ preferences: { invoice } }) => invoice.prefix_conflict !== null);
    expect(listed.map(({ account_id }) => account_id).sort()).toEqual([first, second].sort());
  });

  it("is only for the others once one has issued an invoice", async () => {
    const [first, second, third] = [await open({ tax_id: taxId }), await open({ tax_id: taxId }), await open({})];
    await numberOf(second);
    expect(await conflictOf(second)).toBe(null);
    expect(await conflictOf(first)).toMatchObject({ account_id: second });
    await closeAccountOf(world, acme.admin.actor, second);
    expect(await conflictOf(first)).toMatchObject({ account_id: second });
    expect(await conflictOf(third)).toBe(null);
  });

  it("is only for the one that issued its first later, if both got the tax number afterwards", async () => {
    const [first, second] = [await open({}), await open({})];
    for (const id of [first, second]) {
      await numberOf(id);
      world.clock.advance(1);
    }
    for (const id of [first, second]) await prefer(id, { tax_id: taxId });
    expect(await conflictOf(first)).toBe(null);
    expect(await conflictOf(second)).toMatchObject({ account_id: first });
    await closeAccountOf(world, acme.admin.actor, first);
    expect(await conflictOf(second)).toMatchObject({ account_id: first });
    expect((await refusal(create(second))).code).toBe("invoice_number_taken");
  });

  it("ends with another prefix, and with the closing of the other one", async () => {
    const [first, second] = [await open({ tax_id: taxId }), await open({ tax_id: taxId })];
    const { proposed_prefix } = (await conflictOf(first)) ?? {};
    await closeAccountOf(world, acme.admin.actor, second);
    expect(await conflictOf(first)).toBe(null);
    expect(await conflictOf(second)).toBe(null);
    const third = await open({ tax_id: taxId });
    await prefer(first, { number_prefix: proposed_prefix });
    expect(await conflictOf(first)).toBe(null);
    expect(await conflictOf(third)).toBe(null);
  });
});

it("is proved: two accounts with one tax number whose papers have the same prefix are named", async () => {
  const [first, second] = [await open({ tax_id: taxId }), await open({ tax_id: taxId, number_prefix: "X-" })];
  await numberOf(first);
  await numberOf(second);
  const raw = await openRawAccess(world.database.url, ["invoices", "payments"]);
  try {
    const record =
      dialect === "sqlite"
        ? "json_set(record, '$.number', '2026-0001', '$.seller.vat_identifier', 'AT U12345678')"
        : `jsonb_set(jsonb_set(record::jsonb, '{number}', '"2026-0001"'), '{seller,vat_identifier}', '"AT U12345678"')::text::json`;
    await raw.run(`update invoices set record = ${record} where account_id = ?`, second);
    await raw.run("update payments set invoice_number = '2026-0001' where account_id = ?", second);
    const result = await proof();
    expect(result).toMatchObject({ ok: false, fault: { check: "invoice" } });
    expect(JSON.stringify(result)).toContain("have the same tax number");
  } finally {
    await raw.restore();
    await raw.close();
  }
});
