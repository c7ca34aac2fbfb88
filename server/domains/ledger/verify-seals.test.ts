// The proof of the audit log: every change of an entry, a personal value or a seal behind the product's back is named.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { inBackground } from "@/server/domains/records/in-background";
import { writeSeals } from "@/server/domains/records/seals";
import { newId } from "@/server/kit/ids";
import { dayMs, minuteMs } from "@/server/kit/limits";
import { openRawAccess, type RawAccess } from "@/test/raw-access";
import { flipped } from "@/test/tamper";
import { anotherProcess, openWorld, type World } from "@/test/world";
import { verifyLedger } from "./verify";
import type { Fault } from "./verify/fault";

let world: World;
let raw: RawAccess;
let ids: string[];

const entry = (subject: string) =>
  inBackground(world.runtime, "test.change", async (ctx) => {
    const values = { name: ["Ada", "Bob"], email: [null, "bob@example.com"] } as const;
    ctx.audit({ target: subject, organizationId: "org_1", detail: { fields: ["name"] }, changes: { subject, values } });
  });

beforeAll(async () => {
  world = await openWorld();
  for (const subject of ["usr_1", "usr_2", "usr_3"]) {
    await entry(subject);
    await writeSeals(world.runtime);
    world.clock.advance(minuteMs);
  }
  raw = await openRawAccess(world.database.url, [
    "audit_seal_entries",
    "audit_seals",
    "audit_changes",
    "audit_entries",
  ]);
  const rows = await raw.run("select id from audit_entries order by id");
  ids = rows.map(({ id }) => String(id));
});
afterEach(() => raw.restore());
afterAll(async () => {
  await raw.close();
  await world.close();
});

const verify = (noted?: { number: bigint; signature: string }) =>
  verifyLedger(world.database.url, world.runtime.keys, noted ? { seal: noted } : {});

async function fault(): Promise<Fault> {
  const result = await verify();
  if (result.ok) throw new Error("The proof found no fault.");
  return result.fault;
}

it("confirms a sound audit log", async () => {
  expect(await verify()).toMatchObject({
    ok: true,
    counts: { sealedEntries: 3 },
    newest: { checkpoint: null, seal: { number: 3n } },
  });
});

it("stays sound with entries that are not sealed yet", async () => {
  await entry("usr_4");
  expect((await verify()).ok).toBe(true);
});

it("stays sound once personal values are erased", async () => {
  await raw.run("update audit_changes set before = null, after = null, salt = null where subject_id = 'usr_2'");
  expect((await verify()).ok).toBe(true);
});

describe("one changed value of an entry", () => {
  it.each([
    ["organization_id", "null"],
    ["operation", "'test.chance'"],
    ["actor_type", "'user'"],
    ["actor_id", "'usr_9'"],
    ["target_id", "'usr_9'"],
    ["detail", `'{"fields":["role"]}'`],
    ["request_id", flipped("request_id")],
    ["ip", "'203.0.113.9'"],
    ["user_agent", "'curl'"],
    ["created_at", "created_at - 1"],
  ])("%s", async (column, value) => {
    await raw.run(`update audit_entries set ${column} = ${value} where id = ?`, ids[1]);
    expect(await fault()).toMatchObject({ check: "audit_entry", sealNumber: 2, auditEntryId: ids[1] });
  });
});

it("a removed entry", async () => {
  await raw.run("delete from audit_entries where id = ?", ids[1]);
  expect(await fault()).toMatchObject({ auditEntryId: ids[1], message: expect.stringMatching(/was removed/) });
});

it("an entry that was added afterwards, with an old date", async () => {
  const id = newId("aud", world.clock.now() - 2 * dayMs);
  await raw.run(
    `insert into audit_entries (id, ${others}) select ?, ${others} from audit_entries where id = ?`,
    id,
    ids[1],
  );
  world.clock.advance(minuteMs);
  await writeSeals(world.runtime);
  expect(await fault()).toMatchObject({ auditEntryId: id, message: expect.stringMatching(/added afterwards/) });
});

it("entries of a database in use without a seal for a day, even if none was ever sealed", async () => {
  const other = await openWorld();
  const write = () => inBackground(other.runtime, "test", async (ctx) => ctx.audit({ target: null }));
  const proof = (isInUse: boolean) => verifyLedger(other.database.url, other.runtime.keys, { isInUse });
  await write();
  other.clock.advance(dayMs);
  await write();
  expect((await proof(true)).ok).toBe(true);
  other.clock.advance(minuteMs);
  await write();
  const message = expect.stringMatching(/sealing has stopped/);
  expect(await proof(true)).toMatchObject({ ok: false, fault: { check: "audit_entry", message } });
  // In a backup they may be that old.
  expect((await proof(false)).ok).toBe(true);
  await writeSeals(other.runtime);
  expect((await proof(true)).ok).toBe(true);
  await other.close();
});

it("an entry that was added before sealing, with an old date but a new id", async () => {
  const sealed = await anotherWorldWith(async (other, access) => {
    const id = newId("aud", other.clock.now());
    await access.run(`insert into audit_entries (id, ${others}) select ?, ${others} from audit_entries`, id);
    await writeSeals(other.runtime);
    return id;
  });
  expect(sealed.result).toMatchObject({ ok: false, fault: { auditEntryId: sealed.value } });
});

const others =
  "organization_id, operation, actor_type, actor_id, target_id, detail, request_id, ip, created_at, user_agent";

/** A world with one entry a minute old, what was done in it, and its proof. */
async function anotherWorldWith<T>(work: (other: World, access: RawAccess) => Promise<T>) {
  const other = await openWorld();
  await inBackground(other.runtime, "test", async (ctx) => ctx.audit({ target: null }));
  other.clock.advance(minuteMs);
  const access = await openRawAccess(other.database.url, []);
  const value = await work(other, access);
  const result = await verifyLedger(other.database.url, other.runtime.keys);
  await access.close();
  await other.close();
  return { value, result };
}

describe("a changed personal value", () => {
  it.each([
    ["before", "'Eve'"],
    ["after", "'Eve'"],
    ["salt", flipped("salt")],
    ["field", "'surname'"],
    ["entry_id", "'aud_00000000000000000000000000'"],
    ["salt", "null"],
  ])("%s = %s", async (column, value) => {
    await raw.run(`update audit_changes set ${column} = ${value} where entry_id = ? and field = 'name'`, ids[1]);
    expect((await fault()).check).toBe("audit_entry");
  });

  it("is missing", async () => {
    await raw.run("delete from audit_changes where entry_id = ? and field = 'name'", ids[1]);
    expect(await fault()).toMatchObject({ auditEntryId: ids[1], message: "The values of name are missing." });
  });
});

describe("one changed value of a seal", () => {
  it.each([
    ["audit_seals", "number", "9"],
    ["audit_seals", "created_at", "created_at + 1"],
    ["audit_seals", "entry_count", "entry_count + 1"],
    ["audit_seals", "key_id", "'00000000'"],
    ["audit_seals", "signature", flipped("signature")],
    ["audit_seal_entries", "hash", flipped("hash")],
    ["audit_seal_entries", "entry_id", "'aud_00000000000000000000000000'"],
    ["audit_seal_entries", "seal_number", "9"],
  ])("%s.%s", async (table, column, value) => {
    const number = table === "audit_seals" ? "number" : "seal_number";
    await raw.run(`update ${table} set ${column} = ${value} where ${number} = 2`);
    expect((await fault()).sealNumber).toBe(2);
  });
});

it("an entry and its seal that were removed together", async () => {
  await raw.run("delete from audit_seal_entries where seal_number = 2");
  await raw.run("delete from audit_seals where number = 2");
  await raw.run("delete from audit_entries where id = ?", ids[1]);
  expect(await fault()).toMatchObject({ check: "seal", sealNumber: 2, message: "Seal 2 is missing." });
});

it("the end of the audit log, if its latest seal is known from elsewhere", async () => {
  const sound = await verify();
  const seal = sound.ok ? sound.newest.seal : null;
  if (!seal) throw new Error("There is no seal.");
  expect((await verify(seal)).ok).toBe(true);
  await raw.run("delete from audit_seal_entries where seal_number = 3");
  await raw.run("delete from audit_seals where number = 3");
  await raw.run("delete from audit_changes where entry_id = ?", ids[2]);
  await raw.run("delete from audit_entries where id = ?", ids[2]);
  expect((await verify()).ok).toBe(true);
  expect(await verify(seal)).toMatchObject({ ok: false, fault: { check: "seal", sealNumber: 3 } });
});

it("a seal by a retired key after one by a current key", async () => {
  const [old] = world.runtime.keys.all;
  const current = { id: "0badcafe", key: Buffer.alloc(32, 9) };
  const keys = { all: [current], retired: old ? [old] : [] };
  const next = await anotherProcess(world);
  await writeSeals({ ...next.runtime, keys: { current, ...keys } });
  expect((await verifyLedger(world.database.url, keys)).ok).toBe(true);
  await entry("usr_5");
  await expect(writeSeals(world.runtime)).rejects.toThrow(
    "SECRET_KEY: the database was last signed with the key 0badcafe",
  );
  await writeSeals({ ...world.runtime, keys: { ...world.runtime.keys, retired: [current] } });
  const result = await verifyLedger(world.database.url, keys);
  expect(result).toMatchObject({ ok: false, fault: { check: "seal", message: expect.stringMatching(/retired/) } });
  await next.close();
});
