// Types of program.mjs, for the upgrade test.

export function bundleServer(root: string, options?: { minify?: boolean }): Promise<string>;
export function filesOf(root: string): Record<string, string>;
