// The tag with which a call names the version of a record that the reader has seen, for If-Match.
import { recordVersion } from "@/server/kit/version";

/** `updatedAt` is the record's `updated_at`, as the API says it. */
export const versionTag = (updatedAt: string): string => `"${recordVersion(updatedAt)}."`;
