// Draws the steps of the sandbox, and what they share with all other steps.
import * as fc from "fast-check";
import { simulatedEvents } from "@/server/domains/providers/sandbox-events";
import type { Key, Step } from "./steps";

export const request = fc.nat(15);
export const key: fc.Arbitrary<Key> = fc.constantFrom("none", "own", "same");
export const does = <Name extends Step["do"]>(name: Name) => fc.constant(name);

/** Steps of the sandbox, which wait for what they bring about. So each is taken alone. */
export const sandboxStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: does("moveClock"),
      advance: fc.constantFrom("PT10S", "PT1H", "PT20M", "P1D", "P3D", "P8D", "P1M", "P7M"),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: does("simulate"), request, event: fc.constantFrom(...simulatedEvents), key }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: does("storm"), duplicates: fc.integer({ min: 1, max: 3 }), shuffle: fc.boolean() }),
  },
);
