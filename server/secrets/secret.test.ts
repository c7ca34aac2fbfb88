// The token format of every kind, and derivation under the server key.
import { readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deriveBytes, hashToken, last4, mintToken, parseToken, type TokenKind, tokenPattern } from "./secret";

const kinds: TokenKind[] = ["access", "refresh", "apiKey", "cookie", "payLink", "setup"];
const kind = fc.constantFrom(...kinds);
const secret = fc.uint8Array({ minLength: 32, maxLength: 32 });
const alphanumeric = fc.constantFrom(..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");

it("each kind is in SECURITY.md, and in its pattern for scanners", () => {
  const text = readFileSync(path.resolve(import.meta.dirname, "../../SECURITY.md"), "utf8");
  expect(text).toContain(tokenPattern.source.replace("(?:", "("));
  const described = [...text.matchAll(/^\| `qt(..)_` \|/gm)].map(([, code]) => code);
  expect(described.join("|")).toBe(/\(\?:(.*?)\)/.exec(tokenPattern.source)?.[1]);
});

describe("a token", () => {
  it("has the documented format and parses only as its own kind", () => {
    fc.assert(
      fc.property(kind, secret, (own, bytes) => {
        const token = mintToken(own, bytes);
        expect(token).toMatch(/^qt(at|rt|sk|cs|pl|su)_[0-9A-Za-z]{49}$/);
        for (const other of kinds) expect(parseToken(other, token)).toBe(other === own ? token : null);
      }),
    );
  });

  it("is refused when any one character differs", () => {
    fc.assert(
      fc.property(kind, secret, fc.nat({ max: 53 }), alphanumeric, (own, bytes, position, character) => {
        const token = mintToken(own, bytes);
        fc.pre(token[position] !== character);
        const changed = token.slice(0, position) + character + token.slice(position + 1);
        expect(parseToken(own, changed)).toBeNull();
      }),
    );
  });

  it("is refused with any text before, after or instead of it", () => {
    fc.assert(
      fc.property(kind, secret, fc.string({ minLength: 1 }), (own, bytes, text) => {
        const token = mintToken(own, bytes);
        expect(parseToken(own, token + text)).toBeNull();
        expect(parseToken(own, text + token)).toBeNull();
        expect(parseToken(own, text)).toBeNull();
      }),
    );
    expect(parseToken("access", `${mintToken("access", Buffer.alloc(32))}\n`)).toBeNull();
  });

  it("differs for different bytes, including the extremes", () => {
    fc.assert(
      fc.property(secret, secret, (one, two) => {
        const same = Buffer.compare(one, two) === 0;
        expect(mintToken("access", one) === mintToken("access", two)).toBe(same);
      }),
    );
    for (const byte of [0, 255]) {
      const token = mintToken("refresh", Buffer.alloc(32, byte));
      expect(parseToken("refresh", token)).toBe(token);
    }
    expect(() => mintToken("access", Buffer.alloc(31))).toThrow(RangeError);
  });

  it("is found in a text", () => {
    const token = mintToken("apiKey", Buffer.alloc(32, 5));
    expect(`curl -H "Authorization: Bearer ${token}" https://pay.example.com`.match(tokenPattern)?.[0]).toBe(token);
  });

  it("is stored as its SHA-256, with its last four characters", () => {
    const token = mintToken("access", Buffer.alloc(32, 1));
    expect(hashToken(token)).toMatch(/^[0-9a-f]{64}$/);
    expect(token.endsWith(last4(token))).toBe(true);
    expect(last4(token)).toHaveLength(4);
  });
});

describe("derivation", () => {
  const current = { id: "aaaaaaaa", key: Buffer.alloc(32, 1) };
  const former = { id: "bbbbbbbb", key: Buffer.alloc(32, 2) };
  const keys = { current, all: [current, former] };

  it("is deterministic, and differs by key, label and parts", () => {
    const bytes = deriveBytes(keys, current.id, "access", "ses_1", 0, 1);
    expect(deriveBytes(keys, current.id, "access", "ses_1", 0, 1)).toEqual(bytes);
    const others = [
      deriveBytes(keys, former.id, "access", "ses_1", 0, 1),
      deriveBytes(keys, current.id, "refresh", "ses_1", 0, 1),
      deriveBytes(keys, current.id, "access", "ses_10", 1),
      deriveBytes(keys, current.id, "access", "ses_1", "0", 1),
    ];
    for (const other of others) expect(other).not.toEqual(bytes);
    expect(bytes).toHaveLength(32);
  });

  it("refuses a missing key", () => {
    expect(() => deriveBytes(keys, "cccccccc", "access")).toThrow("SECRET_KEY: the key cccccccc is missing");
  });
});
