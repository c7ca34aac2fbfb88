// The net amounts of an account's transactions add up to what it has.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ChargeResult } from "@/server/domains/providers/provider";
import type { Actor } from "@/server/kit/context";
import { applyTo, askCustomer, makeCredit, newCustomer } from "@/test/credit";
import { textOf } from "@/test/downloads";
import { balancesOf, beginCharge, create, earn, expectSoundLedger, settleNow } from "@/test/money";
import { openWorld, type World } from "@/test/world";
import type { ExportColumn } from "./export-columns";
import { exportTransactions } from "./operations/export";
import { listTransactions } from "./operations/list";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

const result = (id: string, status: ChargeResult["status"], amountCaptured: number): ChargeResult => ({
  ...{ kind: "charge", reference: id, status, amountCaptured, actionUrl: null, method: null },
  failure: status === "declined" ? { code: "card_declined", message: "Declined." } : null,
});

it("counts a payment as far as it was captured, and a refund that failed not at all", async () => {
  const { admin, member, other } = await world.organization();
  const charges = [
    ["succeeded", 1000],
    ["declined", 0],
    ["authorized", 0],
    ["processing", 0],
  ] as const;
  for (const [status, captured] of charges) {
    const { id } = await beginCharge(world, member);
    await settleNow(world, id, result(id, status, captured));
  }
  const { transaction_id: earned } = await earn(world, member, 700);
  await create(world, member.actor, { type: "refund", parent_transaction_id: earned, amount: 200 });
  const transfer = { type: "transfer", currency: "EUR" } as const;
  const toOther = { account_id: member.accountId, destination_account_id: other.accountId, amount: 50 };
  await create(world, admin.actor, { ...transfer, ...toOther });
  const common = { account_id: member.accountId, currency: "EUR" };
  await create(world, admin.actor, { type: "credit", amount: 5, ...common });
  await create(world, admin.actor, {
    ...{ type: "adjustment", direction: "out", reason: "rounding", amount: 3, ...common },
  });
  for (const [status, amount] of [
    ["failed", "0.00"],
    ["authorized", "0.00"],
    ["processing", "0.00"],
  ]) {
    expect((await exported(member.actor)).filter(([given]) => given === status)).toEqual([
      [status, amount, "0.00", amount],
    ]);
  }
  for (const { actor, accountId } of [member, other]) {
    const { data } = await world.call(listTransactions, actor, { account_id: accountId, limit: 100 });
    const net = data.reduce((sum, { net_amount }) => sum + net_amount, 0);
    expect(net).toBe((await balancesOf(world, accountId)).available);
    expect(data.every(({ net_amount: each }) => !Object.is(each, -0))).toBe(true);
    const rows = await exported(actor);
    const cents = (text?: string) => Math.round(Number(text) * 100);
    for (const [, gross, fee, left] of rows) expect(cents(gross) - cents(fee)).toBe(cents(left));
    expect(rows.map(([, gross]) => gross)).not.toContain("-0.00");
    expect(rows.reduce((sum, [, gross]) => sum + cents(gross), 0)).toBe(net);
  }
});

it("with disputes, credit and transfers, adds up to what each account has, in the whole organization's file", async () => {
  const { admin, member, other } = await world.organization();
  const disputed = async (reference: string, ...statuses: string[]) => {
    const { id } = await beginCharge(world, member);
    await settleNow(world, id, result(reference, "succeeded", 1000));
    for (const status of statuses) {
      const dispute = { reference: `dp_${reference}`, amount: 700, currency: "EUR", status };
      await settleNow(world, id, { ...result(reference, "succeeded", 1000), dispute } as ChargeResult);
    }
  };
  await disputed("held", "open");
  await disputed("lost", "open", "lost");
  await disputed("won", "open", "won");
  const customer = await newCustomer(world, member.actor);
  const source = await makeCredit(world, member.actor, customer, 500);
  await applyTo(world, member.actor, await askCustomer(world, member.actor, customer, 120));
  await create(world, member.actor, { type: "refund", parent_transaction_id: source, amount: 90 });
  for (const [from, to, amount] of [
    [member, other, 50],
    [other, member, 20],
  ] as const) {
    const between = { account_id: from.accountId, destination_account_id: to.accountId };
    await create(world, admin.actor, { type: "transfer", currency: "EUR", amount, ...between });
  }
  const cents = (text = "") => Math.round(Number(text) * 100);
  const sums = new Map<string, number>();
  const add = (account: string, amount: number) => sums.set(account, (sums.get(account) ?? 0) + amount);
  for (const row of await exported(admin.actor, bookkeeping)) {
    const [account = "", net, to = "", toNet, gross, fee, dispute, credit] = row;
    expect(cents(gross) - cents(fee) - cents(dispute) - cents(credit)).toBe(cents(net));
    add(account, cents(net));
    add(to, cents(toNet));
  }
  for (const { accountId } of [member, other]) {
    expect(sums.get(accountId)).toBe((await balancesOf(world, accountId)).available);
    const { data: rows } = await world.call(listTransactions, admin.actor, { account_id: accountId, limit: 100 });
    expect(rows.reduce((sum, { net_amount }) => sum + net_amount, 0)).toBe(sums.get(accountId));
  }
});

const bookkeeping = [
  ...["account_id", "net_decimal", "destination_account_id", "destination_net_decimal"],
  ...["amount_decimal", "fee_decimal", "disputed_decimal", "became_credit_decimal"],
] as ExportColumn[];

const decimals: ExportColumn[] = ["status", "amount_decimal", "fee_decimal", "net_decimal"];

/** The cells of the exported columns, row by row. */
async function exported(actor: Actor, columns = decimals): Promise<string[][]> {
  const file = await textOf(await world.call(exportTransactions, actor, { columns }));
  return file
    .split("\r\n")
    .slice(1, -1)
    .map((line) => line.split(","));
}

it("of a refund that failed is 0", async () => {
  const { member } = await world.organization();
  const { id } = await beginCharge(world, member);
  await settleNow(world, id, result(id, "succeeded", 1000));
  const { transaction_id: refund } = await create(world, member.actor, { type: "refund", parent_transaction_id: id });
  await settleNow(world, refund, {
    ...{ kind: "refund", reference: "re", status: "failed", failure: { code: "returned", message: "Returned." } },
  });
  const { data } = await world.call(listTransactions, member.actor, { type: ["refund"] });
  expect(data).toMatchObject([{ status: "failed", amount: 1000, net_amount: 0 }]);
  expect((await exported(member.actor)).filter(([status]) => status === "failed")).toEqual([
    ["failed", "0.00", "0.00", "0.00"],
  ]);
});
