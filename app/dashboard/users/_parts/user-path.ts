// The addresses of the pages of users.
export const listPath = "/dashboard/users";

export const invitationsPath = `${listPath}/invitations`;

export const invitePath = `${listPath}/invite`;

export const pathOf = (id: string): string => `${listPath}/${encodeURIComponent(id)}`;
