// Places: how many a caller may take, how many there are, and that each is released once.
import { describe, expect, it, test } from "vitest";
import type { Actor, CallRequest } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import { Places } from "./places";

test("a caller gets only its share, and a released place can be taken again", () => {
  const places = new Places({ perCaller: 2, inAll: 10 });
  const first = places.take("ada");
  expect(places.take("ada")).not.toBeNull();
  expect(places.take("ada")).toBeNull();
  expect(places.take("bob")).not.toBeNull();
  first?.();
  expect(places.take("ada")).not.toBeNull();
  expect(places.take("ada")).toBeNull();
});

test("all callers together get only as many as the process has", () => {
  const places = new Places({ perCaller: 2, inAll: 3 });
  const taken = ["ada", "ada", "bob"].map((caller) => places.take(caller));
  expect(places.take("eve")).toBeNull();
  taken[0]?.();
  expect(places.take("eve")).not.toBeNull();
});

test("releasing a place twice counts once", () => {
  const places = new Places({ perCaller: 1, inAll: 1 });
  const place = places.take("ada");
  place?.();
  const next = places.take("ada");
  place?.();
  expect(places.take("ada")).toBeNull();
  next?.();
  expect(places.take("bob")).not.toBeNull();
});

const user = (userId: string, ip: string) => ({
  actor: { type: "user", userId } as Actor,
  request: { ip } as CallRequest,
});

test("the callers of one address leave places to others", () => {
  const places = new Places({ perCaller: 2, perAddress: 3, inAll: 6 });
  const first = places.takeFor(user("usr_1", "203.0.113.1"), "downloads");
  for (const id of ["usr_1", "usr_2"]) places.takeFor(user(id, "203.0.113.1"), "downloads");
  expect(() => places.takeFor(user("usr_3", "203.0.113.1"), "downloads")).toThrow("Too many downloads");
  expect(places.count).toBe(3);
  places.takeFor(user("usr_3", "203.0.113.2"), "downloads");
  first();
  places.takeFor(user("usr_4", "203.0.113.1"), "downloads");
});

test("the last places go to callers with few", () => {
  const places = new Places({ perCaller: 10, inAll: 10, newcomers: { places: 4, each: 2 } });
  expect(places.take("ada", 6)).not.toBeNull();
  expect(places.take("ada")).toBeNull();
  expect(places.take("bob", 2)).not.toBeNull();
  expect(places.take("bob")).toBeNull();
  expect(places.take("eve", 3)).toBeNull();
  expect(places.take("eve", 2)).not.toBeNull();
  expect(places.take("joe")).toBeNull();
});

/** Takes every place that one address can get, with any number of users, and returns how many. */
function takeAll(places: Places, address: string): number {
  const before = places.count;
  for (let id = 0; id < 500; id++) while (places.takeIfFree(user(`usr_${address}_${id}`, address)));
  return places.count - before;
}

describe.each([
  ["downloads", limits.download],
  ["long polls", limits.polls],
])("%s", (_what, bounds) => {
  it.each([2, 3])("leave a place for other addresses although %i addresses take all they can", (hostile) => {
    const places = new Places(bounds);
    const taken = Array.from({ length: hostile }, (_, i) => takeAll(places, `203.0.113.${i}`));
    expect(taken[0]).toBe(bounds.perAddress);
    for (let i = 0; i < 3; i++) expect(places.takeIfFree(user(`usr_new${i}`, `198.51.100.${i}`))).not.toBeNull();
  });
});
