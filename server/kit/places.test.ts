// Places: how many a caller may take, how many there are, and that one is given back once.
import { expect, test } from "vitest";
import type { Actor, CallRequest } from "./context";
import { Places } from "./places";

test("a caller has no more than its share, and its place serves the next once it is given back", () => {
  const places = new Places({ perCaller: 2, inAll: 10 });
  const first = places.take("ada");
  expect(places.take("ada")).not.toBeNull();
  expect(places.take("ada")).toBeNull();
  expect(places.take("bob")).not.toBeNull();
  first?.();
  expect(places.take("ada")).not.toBeNull();
  expect(places.take("ada")).toBeNull();
});

test("all callers together have no more than the process has", () => {
  const places = new Places({ perCaller: 2, inAll: 3 });
  const held = ["ada", "ada", "bob"].map((caller) => places.take(caller));
  expect(places.take("eve")).toBeNull();
  held[0]?.();
  expect(places.take("eve")).not.toBeNull();
});

test("a place that is given back twice counts once", () => {
  const places = new Places({ perCaller: 1, inAll: 1 });
  const place = places.take("ada");
  place?.();
  const next = places.take("ada");
  place?.();
  expect(places.take("ada")).toBeNull();
  next?.();
  expect(places.take("bob")).not.toBeNull();
});

test("the callers of one address leave places to those of others", () => {
  const places = new Places({ perCaller: 2, perAddress: 3, inAll: 6 });
  const user = (userId: string, ip: string) => ({
    actor: { type: "user", userId } as Actor,
    request: { ip } as CallRequest,
  });
  const first = places.takeFor(user("usr_1", "203.0.113.1"), "downloads");
  for (const id of ["usr_1", "usr_2"]) places.takeFor(user(id, "203.0.113.1"), "downloads");
  expect(() => places.takeFor(user("usr_3", "203.0.113.1"), "downloads")).toThrow("Too many downloads");
  expect(places.count).toBe(3);
  places.takeFor(user("usr_3", "203.0.113.2"), "downloads");
  first();
  places.takeFor(user("usr_4", "203.0.113.1"), "downloads");
});
