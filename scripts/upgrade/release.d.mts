// Types of release.mjs, for its test.

interface Release {
  version: string;
  commit: string;
  by: string;
}

export function lastRelease(changelog: string, git: (...args: string[]) => string | null): Release | null;
