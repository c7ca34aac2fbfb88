// A type brand for rows that the caller may act on. Only an access check creates it, and writes accept nothing else.

declare const authorized: unique symbol;

export type Authorized<Row> = Row & { readonly [authorized]: true };

/** Marks a row that has passed its check. Call it only at the end of such a check. */
export const authorize = <Row>(row: Row): Authorized<Row> => row as Authorized<Row>;
