// The tags of the document: one for each resource, by the first part of the operations' ids.
import type { oas31 } from "zod-openapi";
import type { Operation } from "@/server/kit/operation";

const resources: Readonly<Record<string, oas31.TagObject>> = {
  sessions: { name: "Sessions", description: "Signing in, refreshing tokens, and ending sessions." },
  me: { name: "Me", description: "The caller behind a credential." },
  accounts: { name: "Accounts", description: "Individual and business accounts with their balances." },
  users: { name: "Users", description: "The people who sign in." },
  invitations: { name: "Invitations", description: "People who are asked to join the organization." },
  apiKeys: { name: "API keys", description: "Credentials for programs. Only admins manage them; no key can." },
  customers: { name: "Customers", description: "The people and companies that accounts ask for payments." },
  payments: { name: "Payments", description: "Payment requests, which customers pay at a link." },
  subscriptions: {
    name: "Subscriptions",
    description: "Cards that are charged again for each period. The first payment of a payment request begins one.",
  },
  transactions: {
    name: "Transactions",
    description: "Money that moved: payments, refunds, transfers and corrections.",
  },
  ledger: { name: "Ledger", description: "What was booked to accounts, posting by posting: its sums are balances." },
  mails: { name: "Mails", description: "Mails to customers and users, with their delivery status." },
  auditEntries: { name: "Audit log", description: "Who did what, and who was refused." },
  sandbox: { name: "Sandbox", description: "What exists only while the organization is in the sandbox." },
  documents: { name: "Documents", description: "The description of the API itself." },
};

export const tags: readonly oas31.TagObject[] = Object.values(resources);

/** The name of the tag of an operation's resource. */
export function tagOf({ id }: Operation): string {
  const tag = resources[id.split(".")[0] ?? ""];
  if (!tag) throw new Error(`${id} belongs to no tag.`);
  return tag.name;
}
