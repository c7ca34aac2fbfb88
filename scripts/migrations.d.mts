// Types of migrations.mjs, for its test.
export function faultsOf(file: string, text: string): string[];
