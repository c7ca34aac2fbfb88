// Sealed secrets: read again by the same installation for the same purpose and owner, and by nobody else.
import { expect, test } from "vitest";
import type { ServerKeys } from "@/server/process/server-key";
import { seal, sealedUnder, unseal } from "./seal";

const keyOf = (id: string, fill: number) => ({ id, key: Buffer.alloc(32, fill) });
const [older, newer] = [keyOf("aaaaaaaa", 1), keyOf("bbbbbbbb", 2)];
const keys: ServerKeys = { current: older, all: [older] };
const rotated: ServerKeys = { current: newer, all: [newer, older] };
const context = { purpose: "totp", ownerId: "usr_1" };
const secret = Buffer.from("twenty bytes, random");

test("a sealed secret is read again, also after the server key has changed", () => {
  const text = seal(keys, context, secret);
  expect(unseal(keys, context, text)).toEqual(secret);
  expect(unseal(rotated, context, text)).toEqual(secret);
  expect(text).not.toContain(secret.toString("base64url"));
  expect(seal(keys, context, secret)).not.toBe(text);
});

test("it tells which server key sealed it", () => {
  const text = seal(keys, context, secret);
  expect(sealedUnder(keys, text)).toBe("current");
  expect(sealedUnder(rotated, text)).toBe("other");
  expect(sealedUnder({ current: newer, all: [newer] }, text)).toBe("missing");
});

test("it opens for no other purpose, owner or key, and not if it was changed", () => {
  const text = seal(keys, context, secret);
  expect(() => unseal(keys, { ...context, purpose: "other" }, text)).toThrow();
  expect(() => unseal(keys, { ...context, ownerId: "usr_2" }, text)).toThrow();
  expect(() => unseal({ current: newer, all: [newer] }, context, text)).toThrow("SECRET_KEY");
  const changed = text.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
  expect(() => unseal(keys, context, `${changed.slice(0, -4)}AAAA`)).toThrow();
  expect(() => unseal(keys, context, "aaaaaaaa.")).toThrow();
});
