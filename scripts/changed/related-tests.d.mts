// Types of related-tests.mjs, for its test.
type Related = { file: string; nearness: number };
type CostOf = (file: string, chosen: readonly string[]) => number;

export function areaOf(file: string): string;
export function relatedTests(changed: string[], tests: string[], textOf: (file: string) => string): Related[];
export function withinBound(related: Related[], seconds: number, costOf: CostOf): { chosen: string[]; left: string[] };
export function costs(projectOf: Map<string, string>, durations: Record<string, number>): CostOf;
