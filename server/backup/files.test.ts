// Names in a backup folder, and retention: it removes daily backups only, and never the newest good one.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  nameOf,
  removeDraft,
  removeOldDaily,
  removeOldUnsound,
  removeUnfinished,
  unfinished,
  unsoundOf,
} from "./files";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "quittance-files-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const id = "0badcafe";
const at = (day: number) => Date.UTC(2026, 10, day, 3, 4, 5, 678);
const put = (...names: string[]) => {
  for (const name of names) writeFileSync(path.join(folder, name), "");
};
const names = () => readdirSync(folder).sort();
const removeOld = (newest = "", keep: number, database = "quittance.db", failed: (name: string) => void = () => {}) =>
  removeOldDaily(folder, { newest: path.join(folder, newest), database: path.join(folder, database), keep }, failed);

it("names backups by kind and instant", () => {
  expect(nameOf("manual", at(1), id)).toBe("quittance-20261101T030405Z-0badcafe.db");
  expect(nameOf("daily", at(1), id)).toBe("quittance-daily-20261101T030405Z-0badcafe.db");
});

it("keeps the newest daily backups", () => {
  const days = [1, 2, 3, 4, 5].map((day) => nameOf("daily", at(day), id));
  put(...days, ...days.map((name) => `${name}.sha256`));
  expect(removeOld(days[4], 3)).toEqual([days[1], days[0]]);
  expect(names()).toEqual(days.slice(2).flatMap((name) => [name, `${name}.sha256`]));
});

it("keeps the backup that was just made, even if others seem to be from the future", () => {
  const [made, ...later] = [1, 20, 21].map((day) => nameOf("daily", at(day), id));
  put(made ?? "", ...later);
  removeOld(made, 1);
  expect(names()).toEqual([made]);
});

it("removes backups from the future first: a clock that was fast has dated them", () => {
  const [first, second, made, ...later] = [1, 2, 3, 20, 21].map((day) => nameOf("daily", at(day), id));
  put(first ?? "", second ?? "", made ?? "", ...later);
  expect(removeOld(made, 4)).toEqual([later[0]]);
  expect(removeOld(made, 3)).toEqual([later[1]]);
  expect(removeOld(made, 2)).toEqual([first]);
  expect(names()).toEqual([second, made]);
});

it("does not remove a backup that has become the database", () => {
  const [database, old, made] = [1, 2, 3].map((day) => nameOf("daily", at(day), id));
  put(database ?? "", old ?? "", made ?? "");
  expect(removeOld(made, 1, database)).toEqual([old]);
  expect(names()).toEqual([database, made]);
});

it("reports what cannot be removed, and removes the others", () => {
  const [folderInstead, old, made] = [1, 2, 3].map((day) => nameOf("daily", at(day), id));
  mkdirSync(path.join(folder, folderInstead ?? ""));
  put(old ?? "", made ?? "");
  const failed: string[] = [];
  expect(removeOld(made, 1, undefined, (name) => failed.push(name))).toEqual([old]);
  expect(failed).toEqual([folderInstead]);
  expect(names()).toEqual([folderInstead, made]);
});

it("leaves a link to a file that does not exist, and removes the others", () => {
  const [link, old, made] = [1, 2, 3].map((day) => nameOf("daily", at(day), id));
  symlinkSync("absent", path.join(folder, link ?? ""));
  put(old ?? "", made ?? "");
  expect(removeOld(made, 1)).toEqual([old]);
  expect(names()).toEqual([link, made]);
});

it("touches nothing but daily backups", () => {
  const made = nameOf("daily", at(9), id);
  const others = [
    nameOf("manual", at(1), id),
    "quittance-daily-20261101T030405Z.db.old",
    "copy-of-quittance-daily-20261101T030405Z.db",
    "quittance.db",
    unfinished(nameOf("daily", at(1), id)),
  ];
  put(made, ...others);
  removeOld(made, 1);
  expect(names()).toEqual([made, ...others].sort());
});

it("touches no backup of another database, such as the one that this one is a restored copy of", () => {
  const made = nameOf("daily", at(9), id);
  const others = [nameOf("daily", at(1), "cafe0bad"), nameOf("daily", at(10), "cafe0bad")];
  const unsound = [1, 2].map((day) => unsoundOf(nameOf("daily", at(day), "cafe0bad")));
  const drafts = [unfinished(nameOf("daily", at(3), "cafe0bad"))];
  put(made, ...others, ...unsound, ...drafts);
  removeOld(made, 1);
  removeUnfinished(folder, id);
  removeOldUnsound(path.join(folder, unsoundOf(made)), 1);
  expect(names()).toEqual([made, ...others, ...unsound, ...drafts].sort());
});

it("removes unfinished backups of either kind, and nothing else", () => {
  const whole = [nameOf("manual", at(1), id), nameOf("daily", at(1), id)];
  // The last one is of a backup that was compressed or moved.
  const checksums = [...whole, nameOf("manual", at(3), id)].map((name) => `${name}.sha256`);
  const kept = [...whole, ...checksums, "notes.partial"];
  put(
    ...kept,
    unfinished(nameOf("manual", at(2), id)),
    `${nameOf("manual", at(2), id)}.sha256`,
    unfinished(nameOf("daily", at(2), id)),
  );
  removeUnfinished(folder, id);
  expect(names()).toEqual([...kept].sort());
});

it("removes a draft with its checksum, but not the checksum of a backup", () => {
  const file = nameOf("manual", at(1), id);
  put(unfinished(file), `${file}.sha256`);
  removeDraft(path.join(folder, file));
  expect(names()).toEqual([]);
  put(file, `${file}.sha256`);
  removeDraft(path.join(folder, file));
  expect(names()).toEqual([file, `${file}.sha256`]);
});
