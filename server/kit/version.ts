// Versions of records, for ETag and If-Match. A tag begins with the version of the record's own fields; a hash may follow.

/** The version of a record that was last changed at `updatedAt`: a timestamp on the wire, or epoch milliseconds. */
export const recordVersion = (updatedAt: string | number): string => new Date(updatedAt).getTime().toString(36);

/** Whether an `If-Match` header (RFC 9110, 13.1.1) matches this version of a record; weak tags never match. */
export function matchesVersion(ifMatch: string, updatedAt: number): boolean {
  const tags = ifMatch.split(",").map((tag) => tag.trim());
  return tags.some((tag) => tag === "*" || tag.startsWith(`"${recordVersion(updatedAt)}.`));
}
