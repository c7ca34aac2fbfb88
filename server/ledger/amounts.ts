// Exact arithmetic on minor units: percentages and shares, without floating point.

/** `basisPoints` ten-thousandths of an amount, rounded half up (away from zero on the half) once. Both are non-negative integers. */
export function shareInBasisPoints(amount: number, basisPoints: number): number {
  return toSafe((BigInt(amount) * BigInt(basisPoints) * 2n + 10_000n) / 20_000n);
}

/**
 * Splits a whole in proportion to weights by the largest remainder, ties to the earlier part: the parts always sum to
 * the whole, and each is within one minor unit of its exact share. Without any weight the first part takes it all.
 */
export function allocate(whole: number, weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
  if (weights.length === 0) throw new RangeError("There is nothing to split among.");
  if (total === 0n) return weights.map((_, index) => (index === 0 ? whole : 0));
  const shares = weights.map((weight, index) => {
    const exact = BigInt(whole) * BigInt(weight);
    return { index, part: exact / total, remainder: exact % total };
  });
  let rest = BigInt(whole) - shares.reduce((sum, share) => sum + share.part, 0n);
  const byRemainder = [...shares].sort((a, b) => Number(b.remainder > a.remainder) - Number(b.remainder < a.remainder));
  for (const share of byRemainder) {
    if (rest === 0n) break;
    share.part += 1n;
    rest -= 1n;
  }
  return shares.map((share) => toSafe(share.part));
}

function toSafe(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`The amount is too large to be exact: ${value}`);
  return number;
}
