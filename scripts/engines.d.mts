/** What is wrong with the packages of a lockfile, in words; `engines` is the product's range of versions. */
export function faultsOf(lockfile: { packages: object }, engines: string): string[];
