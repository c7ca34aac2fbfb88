// The machine's clock jumps an hour ahead and is corrected: nothing stays locked, dead, expired or voided.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { jobs } from "@/db/tables";
import { healQueue } from "@/server/domains/jobs/heal";
import { getPayment } from "@/server/domains/payments/operations/get";
import { login } from "@/server/domains/sessions/operations/login";
import { provenAfterMs, systemClock } from "@/server/process/clock";
import { runJobs } from "@/test/jobs";
import { captureRequest } from "@/test/merchant";
import { ask, card, payWith } from "@/test/payer";
import { callWith, givePassword, password } from "@/test/signing-in";
import { anotherProcess, openWorld, refusalOf, type TestUser, type World } from "@/test/world";

const minute = 60_000;
const hour = 60 * minute;
/** The sandbox charges, loses its answer, and sends an event five seconds later. */
const lostAnswer = { ...card("4000000000000119"), security_code: "998" };

let world: World;
let user: TestUser;
let other: TestUser;
/** True time since the start, and how far ahead the machine's clock is. */
let elapsed: number;
let ahead: number;

beforeAll(async () => {
  world = await openWorld({ LOGIN_FAILURES_PER_USER: "3", ACCESS_TOKEN_TTL: "30m" });
});
beforeEach(async () => {
  world.clock.advance(24 * hour);
  elapsed = 0;
  ahead = 0;
  const acme = await world.organization();
  user = await world.user(acme.id);
  other = await world.user(acme.id);
  await givePassword(world, user);
  await givePassword(world, other);
  await world.runtime.db.write(async (tx) => void (await tx.delete(jobs)));
});
afterAll(() => world.close());

/** Starts a process on the machine with its current clock. */
function start(): Promise<World> {
  const wall = () => world.clock.now() + elapsed + ahead;
  return anotherProcess(world, { clock: systemClock({ wall, monotonic: () => elapsed, withSleep: () => elapsed }) });
}

/** Lets true time pass while the process reads its clock and runs jobs. */
async function pass(process: World, milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= 30_000) {
    elapsed += Math.min(left, 30_000);
    await runJobs(process);
  }
}

const signIn = (process: World, { email }: TestUser, given = password) =>
  callWith(process, login, {}, { email, password: given });

async function lockOut(process: World, person: TestUser): Promise<void> {
  for (let i = 0; i < 3; i++) await refusalOf(signIn(process, person, "wrong password"));
  expect(await refusalOf(signIn(process, person))).toBe("rate_limited");
}

const inMs = (process: World, milliseconds: number) =>
  new Date(process.runtime.clock.now() + milliseconds).toISOString();
const statusOf = async (process: World, payment_id: string) =>
  (await process.call(getPayment, user.actor, { payment_id })).status;

async function authorize(process: World) {
  const { payment, token } = await ask(process, user.actor, { capture_method: "manual" });
  await payWith(process, token);
  return payment.payment_id;
}

test("a jump of a minute has no effect", async () => {
  const process = await start();
  const held = await authorize(process);
  const { payment: open } = await ask(process, user.actor, { expires_at: inMs(process, 30 * minute) });
  const { access_token } = await signIn(process, user);
  ahead = hour;
  await pass(process, minute / 2);
  const lost = await ask(process, user.actor);
  await payWith(process, lost.token, lostAnswer);
  await lockOut(process, other);
  const credential = { bearer: `Bearer ${access_token}` };
  await callWith(process, getPayment, credential, { payment_id: held });
  await pass(process, minute / 2);
  ahead = 0;
  await pass(process, minute);
  expect(await statusOf(process, lost.payment.payment_id)).toBe("paid");
  expect(await statusOf(process, open.payment_id)).toBe("pending");
  await captureRequest(process, user.actor, held);
  await pass(process, 14 * minute);
  await signIn(process, other);
  await pass(process, 15 * minute);
  expect(await statusOf(process, open.payment_id)).toBe("expired");
  await process.close();
});

test("after the process has followed the jump, all effects are gone half an hour after the correction", async () => {
  const process = await start();
  const held = await authorize(process);
  ahead = hour;
  await pass(process, provenAfterMs + minute);
  const lost = await ask(process, user.actor);
  await payWith(process, lost.token, lostAnswer);
  await lockOut(process, user);
  ahead = 0;
  await pass(process, 2 * minute);
  expect(await statusOf(process, lost.payment.payment_id)).toBe("paid");
  await pass(process, 28 * minute);
  await signIn(process, user);
  await captureRequest(process, user.actor, held);
  await process.close();
});

test("after the process has followed the jump, a restart with the right clock removes all effects", async () => {
  const wrong = await start();
  const held = await authorize(wrong);
  ahead = hour;
  await pass(wrong, provenAfterMs + minute);
  const lost = await ask(wrong, user.actor);
  await payWith(wrong, lost.token, lostAnswer);
  await lockOut(wrong, user);
  await wrong.close();
  ahead = 0;
  const right = await start();
  await healQueue(right.runtime, right.runtime.clock.now());
  await signIn(right, user);
  await pass(right, minute);
  expect(await statusOf(right, lost.payment.payment_id)).toBe("paid");
  await captureRequest(right, user.actor, held);
  await pass(right, minute);
  const left = await right.runtime.db.read.select().from(jobs);
  expect(left.filter(({ status, priority }) => status === "dead" || priority === 0)).toEqual([]);
  await right.close();
});
