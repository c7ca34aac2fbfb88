// The secret links in mails that arrived at a test's mail server.
import { bodiesOf, headerOf, type MailServer } from "./mail-server";

/** The URLs of ours in the mails to an address, in the order of arrival; null for a mail without one. */
export const linksTo = ({ arrived }: MailServer, address: string): (string | null)[] =>
  arrived
    .filter(({ to }) => to.includes(address))
    .map((mail) => /^https?:\/\/\S+\/\S+$/m.exec(bodiesOf(mail)[0] ?? "")?.[0] ?? null);

/** The token of a link: the last part of its path. */
export const tokenIn = (url: string | null | undefined): string => url?.split("/").at(-1) ?? "";

/** The subjects of the mails to an address, in the order of arrival. */
export const subjectsTo = ({ arrived }: MailServer, address: string): string[] =>
  arrived.filter(({ to }) => to.includes(address)).map((mail) => headerOf(mail, "Subject") ?? "");
