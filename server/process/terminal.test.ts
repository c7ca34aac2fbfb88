// Confirmations: only a person at a terminal can give one.
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { confirm } from "./terminal";

const answer = (line: string, isTTY: boolean) => {
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = new PassThrough();
  input.end(line);
  return confirm("Sure?", { input, output });
};

it("takes nothing but yes from a terminal", async () => {
  expect(await answer("yes\n", true)).toBe(true);
  for (const other of ["y\n", "no\n", "\n", ""]) expect(await answer(other, true)).toBe(false);
});

it("takes no answer from a pipe", async () => {
  expect(await answer("yes\n", false)).toBe(false);
});
