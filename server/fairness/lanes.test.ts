// Lanes: a caller's work runs a few pieces at a time, in order; each caller has its own lanes.
import { expect, test } from "vitest";
import { Lanes } from "./lanes";

/** Work that ends when told to. */
function pieces(lanes: Lanes) {
  const begun: string[] = [];
  const end = new Map<string, () => void>();
  const piece = async (caller: string, name: string) => {
    await lanes.take(caller);
    begun.push(name);
    const result = await new Promise<string>((resolve) => end.set(name, () => resolve(name)));
    lanes.release(caller);
    return result;
  };
  return { begun, piece, end: (name: string) => end.get(name)?.() };
}

test("a caller has a fixed number of pieces running; others wait in order", async () => {
  const { begun, piece, end } = pieces(new Lanes(2));
  const all = ["a", "b", "c", "d"].map((name) => piece("one", name));
  await Promise.resolve();
  expect(begun).toEqual(["a", "b"]);
  end("b");
  expect(await all[1]).toBe("b");
  await Promise.resolve();
  expect(begun).toEqual(["a", "b", "c"]);
  end("a");
  end("c");
  await all[0];
  await Promise.resolve();
  end("d");
  expect(await Promise.all(all)).toEqual(["a", "b", "c", "d"]);
});

test("callers do not wait for each other", async () => {
  const { begun, piece, end } = pieces(new Lanes(1));
  const all = [piece("one", "a"), piece("one", "b"), piece("other", "c")];
  await Promise.resolve();
  expect(begun).toEqual(["a", "c"]);
  end("a");
  end("c");
  await all[0];
  await Promise.resolve();
  end("b");
  await Promise.all(all);
});
