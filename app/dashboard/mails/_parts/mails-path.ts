// The addresses of the list of mails and of one mail.
export const listPath = "/dashboard/mails";

export const mailPath = (id: string): string => `${listPath}/${encodeURIComponent(id)}`;
