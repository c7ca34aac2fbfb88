// Random sequences of everything that moves customers' credit, against a model that knows only the contract.
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { atOnce } from "@/test/at-once";
import { mergeCustomersOf } from "@/test/closing";
import { applyTo, askCustomer, creditsOf, failLate, newCustomer, overpay, owedTo, refund } from "@/test/credit";
import { balancesOf, expectSoundLedger } from "@/test/money";
import { expectOneTruth } from "@/test/payment-truth";
import { openWorld, refusalOf, type TestUser, type World } from "@/test/world";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** Indices are taken modulo the number of objects when the step runs. An amount of null leaves it to the product. */
type Step =
  | { do: "make"; customer: number; due: number; surplus: number }
  | { do: "apply"; customer: number; due: number; amount: number | null }
  | { do: "refund"; which: number; amount: number | null }
  | { do: "fail"; which: number }
  | { do: "merge"; customer: number; into: number };

const customer = fc.nat({ max: 2 });
const amount = fc.option(fc.integer({ min: 1, max: 120 }));
const [due, surplus] = [fc.integer({ min: 1, max: 90 }), fc.integer({ min: 1, max: 60 })];
const which = fc.nat({ max: 50 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("make"), customer, due, surplus }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("apply"), customer, due, amount }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("refund"), which, amount }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("fail"), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("merge"), customer, into: customer }) },
);

/** One minor unit of money received: where it is, unit by unit. Slow, and hard to get wrong. */
interface Unit {
  source: string;
  /** In the account's balance, in a customer's credit, refunded, or spent on a payment made of credit. */
  place: "balance" | "credit" | "refunded" | { spent: string };
  isCredit: boolean;
  refundedBy: string | null;
}

class Model {
  readonly units: Unit[] = [];
  /** Whose credit was made of each source. */
  readonly owners = new Map<string, number>();
  readonly merged = new Map<number, number>();

  survivor = (of: number): number => this.merged.get(of) ?? of;
  isSpent = (unit: Unit, payment?: string): boolean =>
    typeof unit.place === "object" && (payment === undefined || unit.place.spent === payment);
  count = (test: (unit: Unit) => boolean): number => this.units.filter(test).length;

  /** What can be spent of a customer's credit, oldest first. */
  spendable = (of: number): Unit[] =>
    this.units.filter((unit) => unit.place === "credit" && this.owners.get(unit.source) === of);

  make(source: string, owner: number, due: number, surplus: number): void {
    this.owners.set(source, owner);
    const unit = (isCredit: boolean): Unit => ({
      ...{ source, isCredit, refundedBy: null },
      place: isCredit ? "credit" : "balance",
    });
    for (let i = 0; i < due + surplus; i++) this.units.push(unit(i >= due));
  }

  /** What a refund of the payment can return: credit first for a source; the newest credit first for one made of it. */
  refundable(payment: string): Unit[] {
    if (!this.owners.has(payment)) return this.units.filter((unit) => this.isSpent(unit, payment)).reverse();
    const own = this.units.filter(({ source }) => source === payment);
    return [...own.filter(({ place }) => place === "credit"), ...own.filter(({ place }) => place === "balance")];
  }

  refund(id: string, payment: string, amount: number): void {
    for (const unit of this.refundable(payment).slice(0, amount)) {
      if (this.owners.has(payment)) Object.assign(unit, { place: "refunded", refundedBy: id });
      else unit.place = "credit";
    }
  }

  /** What the refund took of the credit is credit again. */
  fail(id: string): void {
    for (const unit of this.units.filter(({ refundedBy }) => refundedBy === id)) {
      Object.assign(unit, { place: unit.isCredit ? "credit" : "balance", refundedBy: null });
    }
  }

  merge(customer: number, into: number): void {
    this.merged.set(customer, into);
    for (const [source, owner] of this.owners) if (owner === customer) this.owners.set(source, into);
  }
}

/** Runs steps on the product and on the model. */
class Run {
  private readonly model = new Model();
  private readonly requests: string[] = [];
  private readonly payments: string[] = [];
  private refunds: string[] = [];

  constructor(
    private readonly user: TestUser,
    private readonly customers: readonly string[],
  ) {}

  static async begin(): Promise<Run> {
    const { member } = await world.organization();
    const names = ["Ada", "Grace", "Mary"];
    return new Run(member, await Promise.all(names.map((name) => newCustomer(world, member.actor, name))));
  }

  private async request(customer: number, due: number): Promise<string> {
    const id = await askCustomer(world, this.user.actor, this.customers[customer] ?? "", due);
    this.requests.push(id);
    return id;
  }

  async take(one: Step): Promise<void> {
    world.clock.advance(1000);
    if (one.do === "make") return this.make(one);
    if (one.do === "apply") return this.apply(one);
    if (one.do === "merge") return this.merge(one);
    const ids = one.do === "refund" ? this.payments : this.refunds;
    const id = ids[one.which % Math.max(1, ids.length)];
    if (id === undefined) return;
    return one.do === "refund" ? this.refund(id, one.amount) : this.fail(id);
  }

  private async make({ customer, due, surplus }: Extract<Step, { do: "make" }>): Promise<void> {
    const id = await this.request(customer, due);
    const [source = ""] = (await overpay(world, this.user.actor, id, due + surplus)).transaction_ids;
    this.payments.push(source);
    this.model.make(source, this.model.survivor(customer), due, surplus);
  }

  private async apply({ customer, due, amount }: Extract<Step, { do: "apply" }>): Promise<void> {
    const units = this.model.spendable(this.model.survivor(customer));
    const wanted = amount ?? Math.min(due, units.length);
    const id = await this.request(customer, due);
    const call = applyTo(world, this.user.actor, id, amount ?? undefined);
    if (wanted > due) return expect(await refusalOf(call)).toBe("amount_too_large");
    if (wanted === 0 || wanted > units.length) return expect(await refusalOf(call)).toBe("insufficient_credit");
    const { amount_paid, transaction_ids } = await call;
    expect(amount_paid).toBe(wanted);
    const [spent = ""] = transaction_ids;
    this.payments.push(spent);
    for (const unit of units.slice(0, wanted)) unit.place = { spent };
  }

  private async refund(payment: string, amount: number | null): Promise<void> {
    const left = this.model.refundable(payment).length;
    const call = refund(world, this.user.actor, payment, amount ?? undefined);
    if (left === 0 || (amount ?? 0) > left) return expect(await refusalOf(call)).toBe("refund_exceeds_captured");
    const made = await call;
    expect(made.amount).toBe(amount ?? left);
    this.model.refund(made.transaction_id, payment, made.amount);
    // Credit that was given back cannot be returned by anyone.
    if (this.model.owners.has(payment)) this.refunds.push(made.transaction_id);
  }

  private async fail(id: string): Promise<void> {
    await failLate(world, id);
    this.model.fail(id);
    this.refunds = this.refunds.filter((one) => one !== id);
  }

  private async merge({ customer, into }: Extract<Step, { do: "merge" }>): Promise<void> {
    const [from = "", to = ""] = [this.customers[customer], this.customers[into]];
    const isRefused = customer === into || [customer, into].some((one) => this.model.merged.has(one));
    const [answer] = await atOnce(
      0,
      () => mergeCustomersOf(world, this.user.actor, from, to),
      async () => undefined,
    );
    expect(answer).toBe(isRefused ? "customer_not_mergeable" : "done");
    if (isRefused) return;
    this.model.merge(customer, into);
    for (const [old, survivor] of this.model.merged) if (survivor === customer) this.model.merged.set(old, into);
  }

  /** Throws unless every credit, what is owed to every customer, and the balance are what the model says. */
  async check(): Promise<void> {
    const { model, user } = this;
    for (const [i, id] of this.customers.entries()) {
      const sources = [...model.owners].filter(([, owner]) => owner === i).map(([source]) => source);
      const expected = sources.map((source) => {
        const of = (test: (unit: Unit) => boolean) => model.count((unit) => unit.source === source && test(unit));
        return [source, { left: of(({ place }) => place === "credit"), spent: of((unit) => model.isSpent(unit)) }];
      });
      expect(Object.fromEntries(await creditsOf(world, id))).toEqual(Object.fromEntries(expected));
      expect(await owedTo(world, id)).toBe(model.spendable(i).length);
    }
    const available = model.count((unit) => unit.place === "balance" || model.isSpent(unit));
    expect((await balancesOf(world, user.accountId)).available ?? 0).toBe(available);
  }

  async end(): Promise<void> {
    for (const id of this.requests) await expectOneTruth(world, id);
    await expectSoundLedger(world);
  }
}

it("every credit is where the model has it", async () => {
  const run = async (steps: Step[]) => {
    const one = await Run.begin();
    for (const each of steps) {
      await one.take(each);
      await one.check();
    }
    await one.end();
  };
  const settings = { numRuns: 30, interruptAfterTimeLimit: 40_000 };
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 30 }), run), settings);
});
