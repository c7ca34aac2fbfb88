/** Whether a version is in one of the ranges, in the form of `engines` in package.json. */
export function isInRanges(version: string, ranges: string): boolean;
