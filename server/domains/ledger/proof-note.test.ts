// The note of the last proof is about one database: none of another, and none of a file that was replaced.
import { copyFileSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { lastProof, proofNote } from "./proof-note";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), "quittance-note-"));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const sound = { at: 1, isSound: true };

it("is about one SQLite file, by whatever path, until that file is replaced", () => {
  const file = path.join(dataDir, "a.db");
  writeFileSync(file, "a");
  copyFileSync(file, path.join(dataDir, "b.db"));
  symlinkSync(file, path.join(dataDir, "link.db"));
  const of = (name: string) => ({ dataDir, databaseUrl: `file:${path.join(dataDir, name)}` });
  const note = proofNote(of("a.db"));
  note(1, { rows: true });
  expect(lastProof(of("a.db"))).toEqual(sound);
  expect(lastProof(of("link.db"))).toEqual(sound);
  expect(lastProof(of("b.db"))).toBeNull();
  renameSync(path.join(dataDir, "b.db"), file);
  expect(lastProof(of("a.db"))).toBeNull();
  // A proof that began before.
  note(1, { rows: true });
  expect(lastProof(of("a.db"))).toBeNull();
});

it("is about one PostgreSQL database, regardless of the user who connects", () => {
  const of = (databaseUrl: string) => ({ dataDir, databaseUrl });
  proofNote(of("postgres://app:secret@db:5432/one"))(1, { rows: true });
  expect(lastProof(of("postgres://backup@db:5432/one?sslmode=require"))).toEqual(sound);
  for (const other of ["postgres://app:secret@db:5432/two", "postgres://app:secret@db2:5432/one", "file:./one"]) {
    expect(lastProof(of(other))).toBeNull();
  }
});

it("of an alarm stays until the same kind of proof passes, whatever other proofs find", () => {
  const env = { dataDir, databaseUrl: "file:./one" };
  const note = proofNote(env);
  note(1, { rows: true, sealing: true, checkpoint: false });
  // As a backup does, which knows no checkpoint.
  note(2, { rows: true });
  expect(lastProof(env)).toEqual({ at: 1, isSound: false });
  note(3, { rows: true, sealing: true, checkpoint: true });
  expect(lastProof(env)).toEqual({ at: 3, isSound: true });
});

it("that cannot be read counts as none", () => {
  const env = { dataDir, databaseUrl: "file:./one" };
  writeFileSync(path.join(dataDir, "ledger-proof-rows.json"), JSON.stringify(sound));
  expect(lastProof(env)).toBeNull();
});
