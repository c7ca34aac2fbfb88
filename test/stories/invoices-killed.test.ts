// Processes that are killed while they give numbers to invoices and credit notes: no gap, none twice, none lost.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { asc } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { creditNotes, invoices, payments } from "@/db/tables";
import { cancelPayment } from "@/server/domains/payments/operations/cancel";
import { createPayment } from "@/server/domains/payments/operations/create";
import { expectSoundLedger } from "@/test/money";
import { bundleOf } from "@/test/program";
import { openWorld, type TestOrganization, type World } from "@/test/world";

const kills = 4;
const numbersBetween = 20;
/** Up to so long after the last number that was waited for, so that a kill hits any part of a transaction. */
const latestKillMs = 20;

let world: World;
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  acme = await world.organization();
});
afterAll(() => world.close());

/** Starts a process that makes invoices, kills it, and resolves with the numbers that it was answered. */
async function writeUntilKilled(): Promise<string[]> {
  const { database, runtime, clock } = world;
  const env = {
    ...process.env,
    ...{ DATABASE_URL: database.url, DATA_DIR: runtime.env.dataDir, LOG_LEVEL: "silent", RATE_LIMIT: "0" },
    SECRET_KEY: runtime.keys.current.key.toString("base64"),
    ...{ ACTOR: JSON.stringify(acme.member.actor), NOW: String(clock.now()) },
  };
  const stdio = ["ignore", "pipe", "inherit"] as const;
  const child = spawn(process.execPath, [await bundleOf("test/invoice-writers.ts")], { env, stdio: [...stdio] });
  const numbers: string[] = [];
  const ended = once(child, "close");
  for await (const number of createInterface(child.stdout)) {
    numbers.push(number);
    if (numbers.length !== numbersBetween) continue;
    await sleep(Math.random() * latestKillMs);
    child.kill("SIGKILL");
  }
  expect(await ended).toEqual([null, "SIGKILL"]);
  return numbers;
}

const sequencesOf = (rows: readonly { sequence: number }[]) => rows.map(({ sequence }) => sequence);
const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1);

it("leave numbers without gaps, each once, and none that was answered is lost", async () => {
  const answered: string[] = [];
  for (let kill = 0; kill < kills; kill++) answered.push(...(await writeUntilKilled()));
  // Waits for transactions of the last process that the database is still ending.
  const { member } = acme;
  const last = await world.call(createPayment, member.actor, { type: "invoice", amount: 5, currency: "EUR" });
  await world.call(cancelPayment, member.actor, { payment_id: last.payment_id });
  const { read } = world.runtime.db;
  const made = await read.select().from(invoices).orderBy(asc(invoices.sequence));
  const notes = await read.select().from(creditNotes).orderBy(asc(creditNotes.sequence));
  expect(sequencesOf(made)).toEqual(upTo(made.length));
  expect(sequencesOf(notes)).toEqual(upTo(notes.length));
  const given = [...made, ...notes].map(({ record }) => record.number);
  expect(new Set(given).size).toBe(given.length);
  expect(answered.length).toBeGreaterThanOrEqual(kills * numbersBetween);
  expect(answered.filter((number) => !given.includes(number))).toEqual([]);
  const numbered = (await read.select().from(payments)).flatMap(({ invoiceNumber }) => invoiceNumber ?? []);
  expect(numbered.sort()).toEqual(made.map(({ record }) => record.number).sort());
  expect(last.invoice_number).toBe(made.at(-1)?.record.number);
  await expectSoundLedger(world);
}, 120_000);
