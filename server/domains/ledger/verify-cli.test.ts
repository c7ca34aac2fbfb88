// npm run verify:ledger as a process: its output and exit code.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { inBackground } from "@/server/domains/records/in-background";
import { dayMs } from "@/server/kit/limits";
import { bundleOf } from "@/test/program";
import { openTamperWorld, type TamperWorld } from "@/test/tamper";
import { lastProof, lastProofs } from "./proof-note";

const dataDir = mkdtempSync(path.join(tmpdir(), "quittance-test-"));
let world: TamperWorld;
beforeAll(async () => {
  world = await openTamperWorld();
});
afterAll(async () => {
  await world.close();
  rmSync(dataDir, { recursive: true });
});

const proof = () => lastProof({ dataDir, databaseUrl: world.world.database.url });

type Result = { code: number | null; text: string };

async function run(settings: Record<string, string> = {}, ...args: string[]): Promise<Result> {
  const key = Buffer.alloc(32, 7).toString("base64");
  const given = { DATABASE_URL: world.world.database.url, DATA_DIR: dataDir, SECRET_KEY: key };
  const env = { ...process.env, ...given, ...settings };
  const child = spawn(process.execPath, [await bundleOf("server/domains/ledger/verify-cli.ts"), ...args], { env });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (text += chunk));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, text })));
}

it("the command confirms a sound ledger, and otherwise names the first wrong row", async () => {
  const sound = await run();
  expect(sound.code).toBe(0);
  expect(proof()?.isSound).toBe(true);
  const [first, noted] = sound.text.split("\n");
  expect(first).toBe(
    "The ledger is sound: 16 postings in 8 journals over 7 ledger accounts, 7 transactions, 0 payment requests, 3 signed checkpoints, 0 sealed audit entries.",
  );
  const newest = /--expect (3:[0-9a-f]{64})$/.exec(noted ?? "")?.[1] ?? "";
  expect((await run({}, "--expect", newest)).code).toBe(0);
  expect((await run({}, "--expect", `4${newest.slice(1)}`)).code).toBe(1);
  // A proof that compares nothing does not hide the alarm.
  expect((await run()).code).toBe(0);
  expect(proof()?.isSound).toBe(false);
  expect((await run({}, "--expect", newest)).code).toBe(0);
  expect(proof()?.isSound).toBe(true);
  // The outcome is the same if its note for /metrics cannot be written.
  const cut = await run({ DATA_DIR: "/dev/null/nowhere" }, "--expect", `4${newest.slice(1)}`);
  expect(cut).toMatchObject({ code: 1, text: expect.stringMatching(/latest is 3: this is an old copy/) });
  expect(cut.text).toContain("could not be noted for /metrics");
  expect(await run({}, "--expect", "3")).toMatchObject({
    code: 1,
    text: expect.stringMatching(/--expect takes a number/),
  });
  for (let i = 0; i < 2; i++) {
    world.world.clock.advance(dayMs + 1);
    await inBackground(world.world.runtime, "test", async (ctx) => ctx.audit({ target: null }));
  }
  expect(await run()).toMatchObject({ code: 1, text: expect.stringMatching(/sealing has stopped/) });
  expect(lastProofs({ dataDir, databaseUrl: world.world.database.url })).toContainEqual(
    expect.objectContaining({ kind: "sealing", isSound: false }),
  );
  await world.raw.run(
    "update postings set amount = amount + 1 where ledger_account_id = ? and sequence = 4",
    world.chain,
  );
  const { code, text } = await run();
  expect(code).toBe(1);
  expect(text).toContain("NOT sound (chain)");
  expect(text).toContain(`ledgerAccountId: ${world.chain}\n  sequence: 4`);
  expect(proof()?.isSound).toBe(false);
});

it("the command fails when there is no database to read", async () => {
  const elsewhere = world.world.database.url.replace(/[^/]+$/, "nowhere");
  expect(await run({ DATABASE_URL: elsewhere })).toMatchObject({
    code: 1,
    text: expect.stringMatching(/could not be proved/),
  });
});
