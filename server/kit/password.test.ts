// Passwords: what is accepted, that hashing is exact, and that no more of it runs than is allowed.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Failure } from "./errors";
import { givenPassword, hashPassword, isWeakPassword, newPassword, verifyPassword } from "./password";

const accepts = (password: string) => newPassword.safeParse(password).success;

describe("a new password", () => {
  it("has 8 to 128 characters, counted as a person counts them", () => {
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

  it("is well-formed Unicode, since a lone surrogate would hash like any other", () => {
    expect(accepts("xxxxxxxx\ud800")).toBe(false);
  });

  it("is weak when it is common in any case or equals the e-mail address", () => {
    const email = "Ada@Example.com";
    for (const password of ["password", "PassWord", "12345678", "iloveyou", "ada@example.com", "ADA@EXAMPLE.COM"]) {
      expect(isWeakPassword(password, email)).toBe(true);
    }
    expect(isWeakPassword("correct horse battery staple", email)).toBe(false);
  });
});

describe("a given password", () => {
  it("may be anything up to 1024 bytes, so that a hash is never asked for more", () => {
    expect(givenPassword.safeParse("x".repeat(1024)).success).toBe(true);
    expect(givenPassword.safeParse("x".repeat(1025)).success).toBe(false);
    expect(givenPassword.safeParse("é".repeat(513)).success).toBe(false);
    expect(givenPassword.safeParse("").success).toBe(false);
  });
});

describe("hashing", () => {
  it("is Argon2id at OWASP's minimum", async () => {
    expect(await hashPassword("correct horse")).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it("tells passwords apart that differ in the 73rd byte, in case, or in a space", async () => {
    const password = "a".repeat(72);
    const stored = await hashPassword(`${password}b`);
    expect(await verifyPassword(stored, `${password}b`)).toBe(true);
    for (const other of [password, `${password}c`, `${password}B`, `${password}b `]) {
      expect(await verifyPassword(stored, other)).toBe(false);
    }
  });

  it("does the same work for nobody, and says no", async () => {
    const stored = await hashPassword("correct horse");
    const time = async (hash: string | null) => {
      const startedAt = performance.now();
      for (let i = 0; i < 5; i++) expect(await verifyPassword(hash, "wrong")).toBe(false);
      return performance.now() - startedAt;
    };
    const [known, unknown] = [await time(stored), await time(null)];
    expect(unknown).toBeGreaterThan(known / 4);
  });
});

describe("many passwords at once", () => {
  it("are all checked or refused at once, never left waiting without end", async () => {
    const stored = await hashPassword("correct horse");
    const checks = Array.from({ length: 80 }, (_, i) => verifyPassword(stored, i % 2 ? "correct horse" : "wrong"));
    const results = await Promise.allSettled(checks);
    const refused = results.filter(({ status }) => status === "rejected");
    // Fifty wait, and up to two are at work.
    expect([28, 29, 30]).toContain(refused.length);
    for (const refusal of refused as PromiseRejectedResult[]) {
      expect(refusal.reason).toBeInstanceOf(Failure);
      expect(refusal.reason).toMatchObject({ code: "unavailable", status: 503, headers: { "Retry-After": "1" } });
    }
    for (const [i, result] of results.entries()) {
      if (result.status === "fulfilled") expect(result.value).toBe(i % 2 === 1);
    }
    expect(await verifyPassword(stored, "correct horse")).toBe(true);
  });

  it("give their place back when one cannot be checked", async () => {
    for (let i = 0; i < 60; i++) await expect(verifyPassword("no hash", "correct horse")).rejects.toThrow();
    const stored = await hashPassword("correct horse");
    expect(await verifyPassword(stored, "correct horse")).toBe(true);
  });

  it.runIf(process.platform === "linux")("have two threads, which take the cores that nobody else wants", async () => {
    await Promise.all(Array.from({ length: 8 }, () => hashPassword("correct horse")));
    const niceOf = (task: string) =>
      Number(readFileSync(`/proc/self/task/${task}/stat`, "utf8").split(") ")[1]?.split(" ")[16]);
    const [own, ...others] = readdirSync("/proc/self/task")
      .map(niceOf)
      .sort((a, b) => a - b);
    expect([1, 2]).toContain(others.filter((nice) => nice === (own ?? 0) + 10).length);
  });
});
