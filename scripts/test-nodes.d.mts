// Types of test-nodes.mjs, for its test.
export function verdictOf(
  line: string,
  result: { counts: { passed: number; failed: number; skipped: number }; isGreen: boolean },
): { isOk: boolean; text: string };
