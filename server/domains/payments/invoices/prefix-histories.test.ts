// Random histories of three accounts that share tax numbers and prefixes: who is warned, of whom, and who is refused.
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createAccount } from "@/server/domains/accounts/operations/create";
import { listAccounts } from "@/server/domains/accounts/operations/list";
import { updateAccount } from "@/server/domains/accounts/operations/update";
import { Failure } from "@/server/kit/errors";
import { closeAccountOf } from "@/test/closing";
import { openWorld, type TestOrganization, type World } from "@/test/world";
import { createPayment } from "../operations/create";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const step = fc.record({
  who: fc.nat(2),
  act: fc.oneof(
    { weight: 4, arbitrary: fc.record({ tax_id: fc.constantFrom(null, "ATU1", "ATU2") }) },
    { weight: 2, arbitrary: fc.record({ number_prefix: fc.constantFrom(null, "X-", "2026-") }) },
    { weight: 5, arbitrary: fc.constant("issue" as const) },
    { weight: 1, arbitrary: fc.constant("close" as const) },
  ),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

interface Party {
  id: string;
  tax_id: string | null;
  number_prefix: string | null;
  isOpen: boolean;
}

/** What the rules say about three accounts, without the product's code. */
function rulesFor(parties: readonly Party[]) {
  const claims = new Map<string, Party>();
  /** Each account with each of its prefixes, in the order of the first invoices. */
  const issued: [Party, string | null][] = [];
  const keyOf = ({ tax_id, number_prefix }: Party) => (tax_id === null ? null : `${tax_id} ${number_prefix ?? ""}`);
  const sharingWith = (party: Party) => parties.filter((one) => keyOf(one) !== null && keyOf(one) === keyOf(party));
  const holderFor = (party: Party) =>
    claims.get(keyOf(party) ?? "") ??
    issued.find(([one, prefix]) => sharingWith(party).includes(one) && prefix === one.number_prefix)?.[0];
  return {
    holderFor,
    /** The accounts of which one is named to the party; empty without a conflict. */
    conflictsOf(party: Party): Party[] {
      const holder = holderFor(party);
      const candidates = holder === undefined ? sharingWith(party).filter(({ isOpen }) => isOpen) : [holder];
      return candidates.filter((one) => one !== party);
    },
    hasIssued(party: Party) {
      const { number_prefix: prefix } = party;
      if (!issued.some(([one, before]) => one === party && before === prefix)) issued.push([party, prefix]);
      const key = keyOf(party);
      if (key !== null) claims.set(key, party);
    },
  };
}

async function live(acme: TestOrganization, steps: readonly Step[]): Promise<void> {
  const admin = acme.admin.actor;
  const open = async (): Promise<Party> => {
    const input = { account_type: "business", account_name: "Shop", email: "shop@example.com" } as const;
    const { account_id: id } = await world.call(createAccount, admin, input);
    return { id, tax_id: null, number_prefix: null, isOpen: true };
  };
  const parties = [await open(), await open(), await open()];
  const rules = rulesFor(parties);
  const papers: string[] = [];
  const issue = async (party: Party) => {
    const input = { account_id: party.id, type: "invoice", amount: 1250, currency: "EUR" } as const;
    const result = await world.call(createPayment, admin, input).catch((error: unknown) => error);
    const holder = rules.holderFor(party) ?? party;
    if (holder !== party) {
      if (!(result instanceof Failure))
        throw new Error(`${party.id} issued an invoice although ${holder.id} has both.`);
      expect(result.code).toBe("invoice_number_taken");
      expect(result.message).toContain(holder.id);
      return;
    }
    expect(result).toMatchObject({ invoice_number: expect.any(String) });
    rules.hasIssued(party);
    if (party.tax_id !== null) papers.push(`${party.tax_id} ${(result as { invoice_number: string }).invoice_number}`);
  };
  for (const { who, act } of steps) {
    world.clock.advance(1);
    const party = parties[who];
    if (!party?.isOpen) continue;
    if (act === "issue") await issue(party);
    else if (act === "close") {
      await closeAccountOf(world, admin, party.id);
      party.isOpen = false;
    } else {
      await world.call(updateAccount, admin, { account_id: party.id, preferences: { invoice: act } });
      Object.assign(party, act);
    }
    const { data } = await world.call(listAccounts, admin, { limit: 100 });
    for (const one of parties) {
      const listed = data.find(({ account_id }) => account_id === one.id);
      const named = listed?.preferences.invoice.prefix_conflict?.account_id ?? null;
      const others = one.isOpen ? rules.conflictsOf(one).map(({ id }) => id) : [];
      expect(others.length === 0 ? [null] : others).toContain(named);
    }
  }
  expect(new Set(papers).size).toBe(papers.length);
}

it("accounts are warned while their invoices are refused, or while one of several with both will be the first to issue", async () => {
  const histories = fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 24 }), async (steps) =>
    live(await world.organization(), steps),
  );
  await fc.assert(histories, { numRuns: 12 });
});
