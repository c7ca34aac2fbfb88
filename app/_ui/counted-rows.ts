// How far the matches of a list are counted for a reader: beyond it a list says "10,000+" and offers no act on all of them.
export const countedRows = 10_000;
