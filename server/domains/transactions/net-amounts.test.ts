// The net amounts of an account's transactions add up to what it has.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ChargeResult } from "@/server/domains/providers/provider";
import type { Actor } from "@/server/kit/context";
import { balancesOf, beginCharge, create, earn, expectSoundLedger, settleNow } from "@/test/money";
import { openWorld, type World } from "@/test/world";
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

const decimals = ["status", "amount_decimal", "fee_decimal", "net_decimal"] as const;

/** The cells of the exported columns, row by row. */
async function exported(actor: Actor): Promise<string[][]> {
  let file = "";
  for await (const chunk of (await world.call(exportTransactions, actor, { columns: [...decimals] })).chunks)
    file += chunk;
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
