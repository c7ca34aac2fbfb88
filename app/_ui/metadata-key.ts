// Whether a text can be the key of a metadata entry, as the server will check it.
import { limits } from "@/server/kit/limits";

/** Whether the server accepts the text as a metadata key. Spaces around it are not allowed. */
export const isMetadataKey = (text: string): boolean =>
  /^[A-Za-z0-9_.-]+$/.test(text) && text.length <= limits.metadata.key;
