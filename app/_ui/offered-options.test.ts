// Which of the records that were found a picker offers.
import fc from "fast-check";
import { expect, test } from "vitest";
import { isMatch, offered } from "./offered-options";

const option = (label: string, words?: string) => ({ value: label, label, words });
const hotels = [
  option("Hotel Elbe GmbH", "post@elbe.example H-2"),
  option("Hotel Alsterblick", "buchung@alsterblick.example H-1"),
  option("Café Müller"),
];
const names = (options: readonly { label: string }[]) => options.map(({ label }) => label);

test.each([
  ["Hotel Als", ["Hotel Alsterblick"]],
  ["hotel", ["Hotel Elbe GmbH", "Hotel Alsterblick"]],
  ["als hot", ["Hotel Alsterblick"]],
  ["cafe muller", ["Café Müller"]],
  ["CAFÉ", ["Café Müller"]],
  ["h-1", ["Hotel Alsterblick"]],
  ["elbe.example", ["Hotel Elbe GmbH"]],
  ["lsterblick", []],
  ["Hotel Alst x", []],
])("while the answer to %s is awaited, only what has its words is offered", (typed, expected) => {
  expect(names(offered(hotels, typed, false))).toEqual(expected);
});

test("the answer to what is typed is offered whole: the server may have found it by something that is not shown", () => {
  expect(names(offered(hotels, "cus_1", true))).toEqual(names(hotels));
});

test("only options that match the present text are offered, at any speed of typing and in any order of answers", () => {
  const name = fc.constantFrom("Hotel Als", "Hotel Elbe", "Mue", "hot", "");
  const moment = fc.record({ typed: name, answered: name });
  const serverFinds = (text: string) => hotels.filter((one) => isMatch(one, text));
  fc.assert(
    fc.property(fc.array(moment, { minLength: 1, maxLength: 12 }), (moments) => {
      for (const { typed, answered } of moments) {
        const options = offered(serverFinds(answered), typed, answered === typed);
        for (const one of options) expect(isMatch(one, typed)).toBe(true);
      }
    }),
  );
});
