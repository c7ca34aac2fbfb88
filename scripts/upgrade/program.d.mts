// Types of program.mjs, for the upgrade test.

export function bundleServer(root: string): Promise<string>;
