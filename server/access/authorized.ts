// The brand of a row that the caller may act upon. Only a check makes one, and what writes takes nothing else.

declare const authorized: unique symbol;

export type Authorized<Row> = Row & { readonly [authorized]: true };

/** Marks a row after its check has passed. Call it nowhere but at the end of such a check. */
export const authorize = <Row>(row: Row): Authorized<Row> => row as Authorized<Row>;
