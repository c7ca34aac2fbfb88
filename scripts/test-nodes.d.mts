// Types of test-nodes.mjs, for its test.
export function verdictOf(
  line: string,
  result: { counts: { passed: number; failed: number; skipped: number }; isGreen: boolean },
): { isOk: boolean; text: string };

export function testOnNode(
  node: { line: string; executable: string },
  run: (args: string[], options: { env?: Record<string, string>; executable: string }) => boolean | Promise<boolean>,
  options?: { isHttpFirst?: boolean },
): Promise<{ counts: { passed: number; failed: number; skipped: number }; isGreen: boolean }>;
