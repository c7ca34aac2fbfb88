// The proof names refunds of a canceled invoice that are credited otherwise than what came before the cancelation.
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { dialect } from "@/db/dialect";
import { verifyLedger } from "@/server/domains/ledger/verify";
import { lostAnswerCode, troubledCard } from "@/server/domains/providers/test-cards";
import { closeAccountOf } from "@/test/closing";
import { runJobs } from "@/test/jobs";
import { ask, card, payPart, transactionsOf } from "@/test/payer";
import { openRawAccess, type RawAccess } from "@/test/raw-access";
import { openWorld, type World } from "@/test/world";
import { refundPayment } from "../operations/refund";

let world: World;
let raw: RawAccess;
/** The refund of what came after the cancelation. */
let lateRefund: string;

/** An invoice of 1250 of which 400 came before its cancelation, and 850 after it; all of it is refunded. */
beforeAll(async () => {
  world = await openWorld();
  const { admin, member } = await world.organization();
  const terms = { type: "invoice", amount: 1250, allow_partial: true, minimum_amount: 100 } as const;
  const { payment, token } = await ask(world, member.actor, terms);
  const { payment_id } = payment;
  await payPart(world, token, "own", 400);
  await payPart(world, token, "all", null, { ...card(troubledCard), security_code: lostAnswerCode });
  await closeAccountOf(world, admin.actor, member.accountId);
  world.clock.advance(10 * 60_000);
  await runJobs(world);
  const rows = await transactionsOf(world, payment_id);
  const refund = (amount: number) => {
    const transaction_id = rows.find((row) => row.amount === amount)?.id ?? "";
    return world.call(refundPayment, admin.actor, { payment_id, transaction_id });
  };
  lateRefund = (await refund(850)).transaction_id;
  expect(await refund(400)).toMatchObject({ status: "succeeded" });
  raw = await openRawAccess(world.database.url, ["credit_notes", "credit_note_series"]);
});
afterEach(() => raw.restore());
afterAll(async () => {
  await raw.close();
  await world.close();
});

/** Gives a credit note another amount, everywhere. */
async function credit(sequence: number, amount: number) {
  const paths = ["gross_amount", "net_amount", "taxes.0.taxable_amount"];
  const record = paths.reduce(
    (json, path) =>
      dialect === "sqlite"
        ? `json_set(${json}, '$.${path.replace(".0", "[0]")}', ${amount})`
        : `jsonb_set(${json}::jsonb, '{${path.replaceAll(".", ",")}}', '${amount}')::text::json`,
    "record",
  );
  await raw.run(`update credit_notes set amount = ${amount}, record = ${record} where sequence = ${sequence}`);
}

const faultOf = async () => {
  const result = await verifyLedger(world.database.url, world.runtime.keys);
  return result.ok ? null : result.fault;
};

it("confirms that the refund of what came before is credited, and that of the rest is not", async () => {
  expect(await faultOf()).toBe(null);
});

it.each([
  [
    "a credit note of the refund of what came later",
    () => raw.run("update credit_notes set refund_id = ? where sequence = 2", lateRefund),
    "The refunds of a canceled invoice",
  ],
  ["a refund that is credited in part", () => credit(2, 399), "The refunds of a canceled invoice"],
  [
    "a refund that is not credited",
    async () => {
      await raw.run("delete from credit_notes where sequence = 2");
      await raw.run("update credit_note_series set last_number = 1");
    },
    "The refunds of a canceled invoice",
  ],
  [
    "a cancelation that credits more than what was not paid then",
    async () => {
      await credit(1, 900);
      await credit(2, 350);
    },
    "do not add up to what was canceled",
  ],
] as const)("names %s", async (_name, change, message) => {
  await change();
  const fault = await faultOf();
  expect(fault).toMatchObject({ check: "credit_note" });
  expect(fault?.message).toContain(message);
});
