// What each scope lets the holder of an API key do at worst, in a few calls, for those who decide what to give it.

export const scopeMeanings: Readonly<Record<string, string>> = {
  "sessions:read": "Reads the sessions of all users, with their IP addresses and browsers.",
  "sessions:write": "Signs out anybody in the organization, as often as it likes.",
  "accounts:read": "Reads all accounts: names, addresses, owners and balances.",
  "accounts:write":
    "Closes every account, which cancels its open payment requests and subscriptions for good, and changes what invoices " +
    "and mails say about the seller. It cannot name another owner or move money.",
  "accounts:owner":
    "Together with `accounts:write`, gives any account to any user, who can then move its money out. Together with " +
    "`users:write`, that user can be one that it has just created.",
  "users:read": "Reads the names, e-mail addresses and roles of all users and invitations.",
  "users:write":
    "Creates members with passwords that it chooses, so it can sign in as them, and removes every member. Such a member " +
    "has an account of its own and sees no other. It cannot create, change or remove viewers, operators and admins.",
  "customers:read": "Reads the names, addresses and tax numbers of all customers.",
  "customers:write": "Changes where mails and invoices to every customer go. It can neither erase nor merge customers.",
  "customers:erase": "Erases the personal data of every customer, and merges customers. Neither can be undone.",
  "payments:read": "Reads all payment requests with their customers and pay links. Who has such a link can pay it.",
  "payments:write":
    "Asks for any amount in the name of every account, charges authorized cards and cancels every open payment request. It " +
    "cannot move money out.",
  "subscriptions:read": "Reads all subscriptions with their customers.",
  "subscriptions:write": "Changes what stored cards are charged at the next renewal, and cancels every subscription.",
  "transactions:read": "Reads and exports all movements of money, with the names and e-mail addresses of customers.",
  "transactions:write":
    "Moves all money: refunds every payment, transfers between accounts, changes balances by credits and adjustments, and " +
    "marks payment requests as paid.",
  "ledger:read": "Reads every entry of the ledger, and so each account's balance at any time.",
  "mails:read": "Reads all mails to customers and users, without the secret links in them.",
  "mails:write": "Mails payment requests and reminders to customers, up to the limits of mails.",
  "sandbox:write":
    "Moves the clock of the sandbox ahead, which cannot be undone, and brings events of the provider about.",
  "audit:read": "Reads who did what, with IP addresses and personal values before and after a change.",
};

/** The meanings as a Markdown list. */
export const listOfMeanings = (scopes: readonly string[]): string =>
  scopes.map((scope) => `- \`${scope}\`: ${scopeMeanings[scope] ?? ""}`).join("\n");
