// Whether a text is a valid metadata key.
import { limits } from "@/server/kit/limits";

/** Whether the server accepts the text as a metadata key. Spaces around it are not allowed. */
export const isMetadataKey = (text: string): boolean =>
  /^[A-Za-z0-9_.-]+$/.test(text) && text.length <= limits.metadata.key;
