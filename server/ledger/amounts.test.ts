// Percentages and shares: exact at every size, and nothing is lost in a split.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allocate, shareInBasisPoints } from "@/server/ledger/amounts";

describe("a share in basis points", () => {
  it.each([
    [100, 250, 3],
    [99, 250, 2],
    [100, 0, 0],
    [1, 5_000, 1],
    [1, 4_999, 0],
    [999_999_999_999, 100_000, 9_999_999_999_990],
    [999_999_999_999, 1, 100_000_000],
  ])("of %d at %d is %d", (amount, basisPoints, share) => {
    expect(shareInBasisPoints(amount, basisPoints)).toBe(share);
  });

  it("refuses what would not be exact", () => {
    expect(() => shareInBasisPoints(Number.MAX_SAFE_INTEGER, 20_000)).toThrow(RangeError);
  });
});

describe("a split", () => {
  it("sums to the whole, each part within one minor unit of its exact share", () => {
    const weights = fc.array(fc.nat({ max: 999_999_999_999 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.nat({ max: 999_999_999_999 }), weights, (whole, shares) => {
        const parts = allocate(whole, shares);
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(whole);
        const total = shares.reduce((sum, share) => sum + BigInt(share), 0n);
        if (total === 0n) return;
        for (const [index, part] of parts.entries()) {
          const error = BigInt(part) * total - BigInt(whole) * BigInt(shares[index] ?? 0);
          expect(error < total && error > -total).toBe(true);
        }
      }),
    );
  });

  it("gives what is left over to the largest remainders, the earlier one first", () => {
    expect(allocate(100, [1, 1, 1])).toEqual([34, 33, 33]);
    expect(allocate(5, [3, 7])).toEqual([2, 3]);
    expect(allocate(2, [1, 10, 10])).toEqual([0, 1, 1]);
    expect(allocate(7, [0, 0])).toEqual([7, 0]);
    expect(() => allocate(7, [])).toThrow(RangeError);
  });
});
