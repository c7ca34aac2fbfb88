// Passwords: which are accepted, that hashing is exact, and that concurrent hashing is bounded.
import { readdirSync, readFileSync } from "node:fs";
import type { Piscina } from "piscina";
import { describe, expect, it, vi } from "vitest";
import { Places } from "@/server/fairness/places";
import { Failure } from "@/server/kit/errors";
import {
  decoyHash,
  givenPassword,
  hashPassword,
  isOutdated,
  newPassword,
  type Place,
  verifyPassword,
} from "./password";

const verify = (stored: string | null, password: string, place: Place = null) =>
  verifyPassword(stored, password, place);
const accepts = (password: string) => newPassword.safeParse(password).success;

describe("a new password", () => {
  it("has 8 to 128 characters, counted as a person would", () => {
    expect(accepts("x".repeat(7))).toBe(false);
    expect(accepts("x".repeat(8))).toBe(true);
    expect(accepts("x".repeat(128))).toBe(true);
    expect(accepts("x".repeat(129))).toBe(false);
    expect(accepts("🔑".repeat(8))).toBe(true);
    expect(accepts("🔑".repeat(7))).toBe(false);
    expect(accepts("🔑".repeat(128))).toBe(true);
  });

  it("needs no mixture of characters, and keeps its spaces", () => {
    expect(newPassword.parse("  all lower case  ")).toBe("  all lower case  ");
  });

  it("has one form for each way to write a letter with an accent, and a space", () => {
    for (const written of ["café crème 9", "cafe\u0301 cre\u0300me 9", "café\u00a0crème\u30009"]) {
      expect(newPassword.parse(written)).toBe("café crème 9");
      expect(givenPassword.parse(written)).toBe("café crème 9");
    }
    // No case mapping, and compatibility characters stay what they are.
    expect(newPassword.parse("ＣＡＦＥ ﬁve nine")).toBe("ＣＡＦＥ ﬁve nine");
  });

  it("is well-formed Unicode, since a lone surrogate would hash like any other", () => {
    expect(accepts("xxxxxxxx\ud800")).toBe(false);
  });
});

describe("a given password", () => {
  it("may be anything up to 1024 bytes, which bounds the work of hashing", () => {
    expect(givenPassword.safeParse("x".repeat(1024)).success).toBe(true);
    expect(givenPassword.safeParse("x".repeat(1025)).success).toBe(false);
    expect(givenPassword.safeParse("é".repeat(513)).success).toBe(false);
    expect(givenPassword.safeParse("").success).toBe(false);
  });
});

describe("hashing", () => {
  it("is Argon2id at OWASP's minimum", async () => {
    expect(await hashPassword("correct horse", null)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it("is the same for composed and decomposed letters", async () => {
    const hash = await hashPassword("pass phrase cafe\u0301 long", null);
    expect(await verify(hash, "pass phrase café long")).toBe(true);
    expect(await verify(hash, "pass\u00a0phrase café long")).toBe(true);
    expect(await verify(hash, "pass phrase cafe long")).toBe(false);
  });

  it("of an unknown user's password costs as much as any other", () => {
    expect(isOutdated(decoyHash)).toBe(false);
  });

  it("with outdated parameters is recognized", async () => {
    expect(isOutdated(await hashPassword("correct horse", null))).toBe(false);
    expect(isOutdated("$argon2id$v=19$m=9216,t=4,p=1$c2FsdHNhbHQ$aGFzaA")).toBe(true);
    expect(isOutdated("$argon2i$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaA")).toBe(true);
  });

  it("distinguishes passwords by their 73rd byte, by case, and by spaces", async () => {
    const password = "a".repeat(72);
    const stored = await hashPassword(`${password}b`, null);
    expect(await verify(stored, `${password}b`)).toBe(true);
    for (const other of [password, `${password}c`, `${password}B`, `${password}b `]) {
      expect(await verify(stored, other)).toBe(false);
    }
  });

  it("does the same work for an unknown user, and returns false", async () => {
    const stored = await hashPassword("correct horse", null);
    const { [Symbol.for("quittance.passwords")]: pool } = globalThis as unknown as Record<symbol, Piscina>;
    const run = vi.spyOn(pool as Piscina, "run");
    expect(await verify(stored, "wrong")).toBe(false);
    expect(await verify(null, "wrong")).toBe(false);
    expect(run.mock.calls).toEqual([
      [{ stored, password: "wrong" }, { name: "verify" }],
      [{ stored: decoyHash, password: "wrong" }, { name: "verify" }],
    ]);
    run.mockRestore();
  });
});

describe("many concurrent passwords", () => {
  it("are all checked or refused, and none waits forever", async () => {
    const stored = await hashPassword("correct horse", null);
    const checks = Array.from({ length: 80 }, (_, i) => verify(stored, i % 2 ? "correct horse" : "wrong"));
    const results = await Promise.allSettled(checks);
    const refused = results.filter(({ status }) => status === "rejected");
    // Fifty wait, and up to two are being checked.
    expect([28, 29, 30]).toContain(refused.length);
    for (const refusal of refused as PromiseRejectedResult[]) {
      expect(refusal.reason).toBeInstanceOf(Failure);
      expect(refusal.reason).toMatchObject({ code: "unavailable", status: 503, headers: { "Retry-After": "1" } });
    }
    for (const [i, result] of results.entries()) {
      if (result.status === "fulfilled") expect(result.value).toBe(i % 2 === 1);
    }
    expect(await verify(stored, "correct horse")).toBe(true);
    // The threads have low priority, so on a busy machine fifty passwords take long.
  }, 60_000);

  it("of one address block take at most eight places", async () => {
    const stored = await hashPassword("correct horse", null);
    const places = new Places({ perCaller: 8, inAll: 1000 });
    const crowd = { places, caller: "192.0.2.1" };
    const checks = Array.from({ length: 40 }, () => verify(stored, "wrong", crowd));
    const other = verify(stored, "correct horse", { places, caller: "192.0.2.2" });
    const results = await Promise.allSettled(checks);
    expect(await other).toBe(true);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(8);
    for (const result of results) {
      if (result.status === "rejected") {
        expect(result.reason).toMatchObject({ code: "rate_limited", status: 429, headers: { "Retry-After": "1" } });
      }
    }
    expect(await verify(stored, "correct horse", crowd)).toBe(true);
    await expect(verify("no hash", "correct horse", crowd)).rejects.toThrow();
    expect(places.count).toBe(0);
  });

  it("release their place when a check fails", async () => {
    for (let i = 0; i < 60; i++) await expect(verify("no hash", "correct horse")).rejects.toThrow();
    const stored = await hashPassword("correct horse", null);
    expect(await verify(stored, "correct horse")).toBe(true);
  });

  // Only Linux has a priority for each thread.
  if (process.platform !== "linux") return;

  it("run in two threads with low priority", async () => {
    await Promise.all(Array.from({ length: 8 }, () => hashPassword("correct horse", null)));
    const niceOf = (task: string) =>
      Number(readFileSync(`/proc/self/task/${task}/stat`, "utf8").split(") ")[1]?.split(" ")[16]);
    const [own, ...others] = readdirSync("/proc/self/task")
      .map(niceOf)
      .sort((a, b) => a - b);
    expect([1, 2]).toContain(others.filter((nice) => nice === Math.min((own ?? 0) + 10, 19)).length);
  });
});
