// The addresses of the pages of users.
export const listPath = "/dashboard/users";

export const pathOf = (id: string): string => `${listPath}/${encodeURIComponent(id)}`;
