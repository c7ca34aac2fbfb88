// A bounded cache (least recently used) for values that are costly to compute.

/** Caches the last `limit` results of `make`. Callers may choose the keys, so memory must stay bounded. */
export function remembered<T>(limit: number, make: (key: string) => T): (key: string) => T {
  const kept = new Map<string, T>();
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined) {
      if (kept.size < limit) return known;
      // A Map keeps insertion order: a used key moves to the end, and the first key is the least recently used.
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
