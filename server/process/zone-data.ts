// Which release of the time zone database (IANA tzdata) Node has. Rules of countries change several times a year, and
// with old data a payment near midnight gets the wrong day.

/** The newest release that changes times from its date on, as far as this version of the product knows. */
export const newestZoneData = "2026e";

/** The release that this Node has ("2026e"); null if it was built without one. */
export const zoneData = (): string | null => process.versions.tz ?? null;

/** Whether a release is older than the newest one that is known. Releases sort by year and letter. */
export const isOldZoneData = (release: string | null): boolean => release === null || release < newestZoneData;
