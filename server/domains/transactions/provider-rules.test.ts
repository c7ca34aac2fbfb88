// When a transaction is looked up next: at once when something is due, and never without end.
import { describe, expect, it } from "vitest";
import { authorizationLifetimeMs } from "@/server/domains/providers/provider";
import { limits } from "@/server/kit/limits";
import type { TransactionRow } from "./present";
import { nextLookupAt } from "./provider-rules";

const createdAt = Date.UTC(2026, 10, 20, 12);
const captureBefore = createdAt + authorizationLifetimeMs;
const at = (given: Partial<TransactionRow>, now: number) =>
  nextLookupAt({ createdAt, captureBefore: null, captureRequested: null, ...given } as TransactionRow, now);
const aMinute = { afterMs: 60_000 };

describe("the next look-up", () => {
  it("is at the deadline of a confirmation or an authorization hold", () => {
    expect(at({ status: "requires_action" }, createdAt)).toEqual({ dueAt: createdAt + limits.charge.confirmMs });
    expect(at({ status: "authorized", captureBefore }, createdAt)).toEqual({ dueAt: captureBefore });
  });

  it("is a minute later if the provider has not ended it by then", () => {
    for (const late of [0, 1, 3_600_000]) {
      const afterChallenge = createdAt + limits.charge.confirmMs + late;
      expect(at({ status: "requires_action" }, afterChallenge)).toEqual(aMinute);
      const afterHold = captureBefore + late;
      expect(at({ status: "authorized", captureBefore }, afterHold)).toEqual(aMinute);
    }
  });

  it("does not wait for the end of a hold whose capture was requested", () => {
    expect(at({ status: "authorized", captureBefore, captureRequested: 5 }, createdAt)).toEqual(aMinute);
  });

  it("is later the longer an attempt is in progress", () => {
    const waitAfter = (ms: number) => at({ status: "processing" }, createdAt + ms);
    const waits = [60_000, 60_000, 600_000, 3_600_000].map((afterMs) => ({ afterMs }));
    expect([0, 60_000, 600_000, 86_400_000].map(waitAfter)).toEqual(waits);
  });

  it("never comes once nothing is open", () => {
    for (const status of ["succeeded", "failed", "canceled", "expired", "refunded"] as const) {
      expect(at({ status, captureBefore }, createdAt)).toBeNull();
    }
  });
});
