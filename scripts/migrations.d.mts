// Types of migrations.mjs, for its test.
export function faultsOf(file: string, text: string): string[];
export function squawk(files: readonly string[], findProgram?: () => string): { faults: string[]; note: string | null };
