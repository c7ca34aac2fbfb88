// Remembers what is costly to make and the same for the same key, within a bound.

/** `make`, whose last `limit` results are kept. For keys that callers choose: memory stays bounded whatever they send. */
export function remembered<T>(limit: number, make: (key: string) => T): (key: string) => T {
  const kept = new Map<string, T>();
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined) {
      if (kept.size < limit) return known;
      // The order of a Map is that of insertion: what is used goes to its end, what is not falls out at its start.
      kept.delete(key);
      kept.set(key, known);
      return known;
    }
    const made = make(key);
    if (kept.size >= limit) kept.delete(kept.keys().next().value as string);
    kept.set(key, made);
    return made;
  };
}
