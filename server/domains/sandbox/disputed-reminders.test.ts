// Reminders that are due while a payment is disputed: they wait for the end of the dispute, and go if something is due.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { cancelPayment } from "@/server/domains/payments/operations/cancel";
import { getPayment } from "@/server/domains/payments/operations/get";
import { dayMs } from "@/server/kit/limits";
import { eventTypesOf } from "@/test/events";
import { runJobs } from "@/test/jobs";
import { expectSoundLedger } from "@/test/money";
import { ask, payPart } from "@/test/payer";
import { newEmail } from "@/test/people";
import { moveClock } from "@/test/sandbox-clock";
import { simulate } from "@/test/simulating";
import { openWorld, type TestOrganization, type World } from "@/test/world";

let world: World;
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  acme = await world.organization();
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

const advance = async (duration: string) => {
  await moveClock(world, acme.admin.actor, duration);
  await runJobs(world);
};

/** Reminders four, three and one days before the expiry in ten days; a part is paid, and that is disputed. */
async function partDisputed() {
  const { payment, token } = await ask(world, acme.member.actor, {
    ...{ allow_partial: true, minimum_amount: 100, customer: { email: newEmail() } },
    expires_at: new Date(world.clock.now() + 10 * dayMs).toISOString(),
    reminders: { offsets_days: [-4, -3, -1] },
  });
  await payPart(world, token, "own", 500);
  await simulate(world, acme, payment.payment_id, "dispute");
  return { id: payment.payment_id, token };
}

/** Each reminder as "planned", "sent" or why it was skipped. */
async function statesOf(payment_id: string): Promise<string[]> {
  const { reminders } = await world.call(getPayment, acme.admin.actor, { payment_id });
  return (reminders ?? []).map((one) => one.skipped_reason ?? (one.sent_at === null ? "planned" : "sent"));
}
const sentOf = async (id: string) =>
  (await eventTypesOf(world, id)).filter((type) => type === "payment.reminder_sent").length;

it.each(["dispute_won", "dispute_lost"] as const)(
  "the latest goes once, after %s, and later ones in time",
  async (end) => {
    const { id } = await partDisputed();
    await advance("P8D");
    expect(await statesOf(id)).toEqual(["planned", "planned", "planned"]);
    await simulate(world, acme, id, end);
    await runJobs(world);
    expect(await statesOf(id)).toEqual(["superseded", "sent", "planned"]);
    expect(await sentOf(id)).toBe(1);
    await advance("P1DT1H");
    expect(await statesOf(id)).toEqual(["superseded", "sent", "sent"]);
    expect(await sentOf(id)).toBe(2);
  },
);

it("none goes that was not due during the dispute", async () => {
  const { id } = await partDisputed();
  await advance("P2D");
  await simulate(world, acme, id, "dispute_won");
  await runJobs(world);
  expect(await statesOf(id)).toEqual(["planned", "planned", "planned"]);
  await advance("P4DT1H");
  expect(await statesOf(id)).toEqual(["sent", "planned", "planned"]);
});

it("say that the payment request expired, was canceled or paid before its dispute ended", async () => {
  const expired = await partDisputed();
  await advance("P12D");
  expect(await statesOf(expired.id)).toEqual(["planned", "planned", "planned"]);
  await simulate(world, acme, expired.id, "dispute_won");
  await runJobs(world);
  expect(await statesOf(expired.id)).toEqual(["superseded", "superseded", "payment_expired"]);
  expect(await sentOf(expired.id)).toBe(0);

  acme = await world.organization();
  const canceled = await partDisputed();
  await advance("P8D");
  await simulate(world, acme, canceled.id, "dispute_won");
  await world.call(cancelPayment, acme.admin.actor, { payment_id: canceled.id });
  await runJobs(world);
  expect(await statesOf(canceled.id)).toEqual(Array(3).fill("payment_not_payable"));

  acme = await world.organization();
  const paid = await partDisputed();
  await advance("P8D");
  await simulate(world, acme, paid.id, "dispute_won");
  await payPart(world, paid.token, "all");
  await runJobs(world);
  expect(await statesOf(paid.id)).toEqual(Array(3).fill("payment_already_paid"));
});
