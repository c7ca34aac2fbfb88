// Metadata as a filter of lists that have no index for it.
import { metadata } from "./fields";
import { limits } from "./limits";

/** Every entry must be equal. The number of rows that a page examines is that of any filter without an index. */
export const metadataFilter = metadata.optional().meta({
  description:
    "`metadata[key]=value`; every entry must be equal. No index serves this filter: of the rows that the other filters " +
    `leave, a page examines at most ${(limits.look.window * limits.look.windows).toLocaleString("en")}, and ` +
    "`next_cursor` continues.",
});
