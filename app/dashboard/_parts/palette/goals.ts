// The pages and actions that the search over everything leads to, and who sees each.
import type { Outputs } from "@/app/_trpc/server";
import type { RuleName } from "@/server/access/rules";

/** The records that the server found for a text. */
export type Found = Outputs["search"]["find"];

interface Goal {
  href: string;
  /** The row of the access table that admits to the page; null if every user may open it. */
  rule: RuleName | null;
}

export const actions = {
  newPayment: { href: "/dashboard/payment-requests/new", rule: "payments.create" },
  newInvoice: { href: "/dashboard/payment-requests/new?type=invoice", rule: "payments.create" },
  newSubscription: { href: "/dashboard/payment-requests/new?type=subscription", rule: "payments.create" },
  recordPayment: { href: "/dashboard/transactions/new", rule: "transactions.create.payment" },
  // The refund itself is on the payment's page.
  refund: {
    href: "/dashboard/transactions?type=payment&status=succeeded,partially_refunded",
    rule: "transactions.create.refund",
  },
  newCustomer: { href: "/dashboard/customers/new", rule: "customers.write" },
  newTransfer: { href: "/dashboard/transactions/new?type=transfer", rule: "transactions.create.transfer" },
  newCredit: { href: "/dashboard/transactions/new?type=credit", rule: "transactions.create.credit" },
  newAdjustment: { href: "/dashboard/transactions/new?type=adjustment", rule: "transactions.create.adjustment" },
  newAccount: { href: "/dashboard/accounts/new", rule: "accounts.create" },
  inviteUser: { href: "/dashboard/users/invite", rule: "invitations.create.member" },
  newApiKey: { href: "/dashboard/api-keys/new", rule: "apiKeys.write" },
} as const satisfies Record<string, Goal>;

export const pages = {
  home: { href: "/dashboard", rule: null },
  paymentRequests: { href: "/dashboard/payment-requests", rule: null },
  overdue: { href: "/dashboard/payment-requests?overdue=true", rule: null },
  invoices: { href: "/dashboard/invoices", rule: null },
  subscriptions: { href: "/dashboard/subscriptions", rule: null },
  transactions: { href: "/dashboard/transactions", rule: null },
  customers: { href: "/dashboard/customers", rule: null },
  accounts: { href: "/dashboard/accounts", rule: null },
  users: { href: "/dashboard/users", rule: "users.list" },
  invitations: { href: "/dashboard/users/invitations", rule: "invitations.read" },
  apiKeys: { href: "/dashboard/api-keys", rule: "apiKeys.read" },
  mails: { href: "/dashboard/mails", rule: null },
  auditLog: { href: "/dashboard/audit-log", rule: "audit.read" },
  jobs: { href: "/dashboard/jobs", rule: "jobs.read" },
  organization: { href: "/dashboard/settings/organization", rule: "organizations.read" },
  security: { href: "/dashboard/settings/security", rule: "organizations.read" },
  sandboxClock: { href: "/dashboard/settings/sandbox", rule: "sandbox.clock.read" },
  mailSettings: { href: "/dashboard/settings/mail", rule: "mails.server" },
  serverSettings: { href: "/dashboard/settings/server", rule: "instance.read" },
  profile: { href: "/dashboard/profile", rule: null },
  password: { href: "/dashboard/password", rule: null },
} as const satisfies Record<string, Goal>;

/** What needs no page: the color schemes, and the end of the session. */
export const acts = ["light", "dark", "auto", "signOut"] as const;
export type Act = (typeof acts)[number];

/** The lists that can be searched, each with the kind of found records that it shows. */
export const searchedLists = {
  paymentRequests: "payments",
  invoices: "payments",
  subscriptions: "subscriptions",
  transactions: "transactions",
  customers: "customers",
  accounts: "accounts",
  users: "users",
} as const satisfies Partial<Record<Page, keyof Found>>;

type Action = keyof typeof actions;
type Page = keyof typeof pages;

/** What the search offers one user. */
export interface Offer {
  actions: Action[];
  pages: Page[];
  /** How the user reads numbers and dates. */
  locale: string;
  timeZone: string;
}

export const keysOf = <T extends object>(table: T) => Object.keys(table) as (keyof T)[];

/** The actions and pages that `mayDo` allows, in their order. */
export const goalsFor = (mayDo: (rule: RuleName) => boolean): Pick<Offer, "actions" | "pages"> => ({
  actions: keysOf(actions).filter((key) => mayDo(actions[key].rule)),
  pages: keysOf(pages).filter((key) => {
    const { rule } = pages[key];
    return rule === null || mayDo(rule);
  }),
});
