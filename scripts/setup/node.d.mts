/** Whether a version is in one of the ranges, in the form of `engines` in package.json. */
export function isInRanges(version: string, ranges: string): boolean;
/** Throws an error with a readable reason on a Node that is not supported. */
export function requireNode(): void;
