// The quick part on another Node has passed only if every test ran.
import { expect, it } from "vitest";
import { testOnNode, verdictOf } from "./test-nodes.mjs";

it.each([
  [{ passed: 9, failed: 0, skipped: 0 }, true, true],
  [{ passed: 9, failed: 0, skipped: 1 }, true, false],
  [{ passed: 0, failed: 0, skipped: 0 }, true, false],
  [{ passed: 9, failed: 1, skipped: 0 }, false, false],
])("judges %j", (counts, isGreen, isOk) => {
  expect(verdictOf("22", { counts, isGreen })).toMatchObject({
    isOk,
    text: expect.stringContaining(isOk ? "ok" : "FAILED"),
  });
});

it.each([false, true])("runs the tests over HTTP first: %j", async (isHttpFirst) => {
  const programs: unknown[] = [];
  const run = async ([program]: string[]) => {
    programs.push(program);
    return program !== "node_modules/vitest/vitest.mjs";
  };
  const { isGreen } = await testOnNode({ line: "none", executable: "node" }, run, { isHttpFirst });
  const inOrder = ["node_modules/vitest/vitest.mjs", "node_modules/playwright/cli.js"];
  expect(programs).toEqual(isHttpFirst ? inOrder.reverse() : inOrder);
  expect(isGreen).toBe(false);
});
