// Types of bundle.mjs, for tests.
import type { BuildOptions, BuildResult } from "esbuild";

export function bundle(options: BuildOptions & { root?: string }): Promise<BuildResult>;
