// Where the pages behind a link are.

/** The path of a link's pay page. */
export const pathOf = (token: string): string => `/pay/${encodeURIComponent(token)}`;
