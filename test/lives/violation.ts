// A broken invariant, by the number it has in the list in test/README.md.

export class Violation extends Error {
  override name = "Violation";
  constructor(
    readonly invariant: string,
    readonly says: string,
  ) {
    super(`Invariant ${invariant} is violated: ${says}`);
  }
}

/** Throws a {@link Violation} unless the condition holds. */
export function must(holds: boolean, invariant: string, says: string): asserts holds {
  if (!holds) throw new Violation(invariant, says);
}

/** Throws a {@link Violation} unless both values have the same JSON. */
export function mustEqual(actual: unknown, expected: unknown, invariant: string, says: string): void {
  if (actual === expected) return;
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  must(found === wanted, invariant, `${says}: ${found}, expected ${wanted}`);
}
