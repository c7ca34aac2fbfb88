import type { Plugin } from "vitest/config";

interface Flaw {
  /** What goes wrong. */
  title: string;
  /** The module's path from the root, and the text that the flaw replaces in it. */
  file: string;
  original: string;
  flawed: string;
}

export declare const flaws: Readonly<Record<string, Flaw>>;
export declare function planting(name: string): Plugin;
