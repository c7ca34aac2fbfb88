// The age of a charge, by the process's clock and the database's.
import { describe, expect, it } from "vitest";
import { limits } from "@/server/kit/limits";
import { mayArriveForMs, timeForDeadlines } from "./charge-times";

describe("a charge", () => {
  const createdAt = 1_000_000;
  /** Written by a database whose clock is an hour ahead of that of the process. */
  const ahead = 3_600_000;
  const startBefore = createdAt + ahead + limits.charge.startMs;

  it.each([
    ["both clocks agree", 900_000, 900_000, 900_000],
    ["the process's clock is ahead", 1_800_000, 900_000, 900_000],
    ["the process's clock is behind", 0, 900_000, 0],
    ["the database's clock jumps ahead", 900_000, 4_500_000, 900_000],
    ["the database's clock was set back", 900_000, -1, 900_000],
  ])("is no older than either clock says when %s", (_, byProcess, byDatabase, age) => {
    const present = { databaseTime: createdAt + ahead + byDatabase, now: createdAt + byProcess };
    expect(timeForDeadlines({ startBefore, createdAt }, present)).toBe(createdAt + age);
  });

  it("without a deadline is as old as the process's clock says", () => {
    const present = { databaseTime: createdAt, now: createdAt + 5 };
    expect(timeForDeadlines({ startBefore: null, createdAt }, present)).toBe(createdAt + 5);
  });
});

describe("a charge that its provider does not know", () => {
  const createdAt = 1_000_000;
  /** Written by a database whose clock is an hour ahead of that of the process. */
  const ahead = 3_600_000;
  const startBefore = createdAt + ahead + limits.charge.startMs;
  const left = (databaseTime: number, now: number) => mayArriveForMs({ startBefore, createdAt }, { databaseTime, now });

  it("may arrive until its last call has ended, by the database's clock", () => {
    for (const lead of [-86_400_000, 0, 86_400_000]) {
      expect(left(createdAt + ahead, createdAt + lead)).toBe(limits.charge.firstLookupMs);
      expect(left(createdAt + ahead + limits.charge.firstLookupMs - 1, createdAt + lead)).toBe(1);
      expect(left(createdAt + ahead + limits.charge.firstLookupMs, createdAt + lead)).toBe(0);
    }
  });

  it("is given up by the process's clock when the database's was set back", () => {
    for (const databaseTime of [createdAt, createdAt + ahead - 1]) {
      expect(left(databaseTime, createdAt)).toBe(limits.charge.firstLookupMs);
      expect(left(databaseTime, createdAt + limits.charge.firstLookupMs)).toBe(0);
    }
  });

  it("without a deadline counts it from its creation", () => {
    const old = { startBefore: null, createdAt };
    expect(mayArriveForMs(old, { databaseTime: createdAt, now: createdAt })).toBe(limits.charge.firstLookupMs);
  });
});
