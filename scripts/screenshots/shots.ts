// Every page and state to capture, and how to get there.
import type { Page } from "playwright";
import type { People } from "./people";
import { showPreview, typeInvoice, typeTrial } from "./previews";
import type { Seeded } from "./seed";
import type { Trouble } from "./trouble";

export interface Shot {
  /** The file name. */
  name: string;
  path: string;
  as: "admin" | "member" | "nobody";
  /** Actions on the page before the screenshot. */
  act?: (page: Page) => Promise<unknown>;
  /** The language; English by default. */
  locale?: "de-DE";
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();
/** Presses an action of a record, which may be in the menu. */
const act = (name: RegExp) => async (page: Page) => {
  if (await page.getByRole("button", { name: "More" }).isVisible()) await press("More")(page);
  await press(name)(page);
};

/** The pay page, its receipt and the confirmation, in all their states. */
export function hostedShots({ links, challenge, creditNote }: Seeded): Shot[] {
  const states = Object.entries(links).map(([state, path]): Shot => ({ name: `pay-${state}`, path, as: "nobody" }));
  const nobody = { as: "nobody" } as const;
  return [
    // First, because its money arrives a few seconds after the form is sent.
    ...states.filter(({ name }) => name === "pay-processing"),
    ...states.filter(({ name }) => name !== "pay-processing"),
    { ...nobody, name: "pay-open-german", path: links.open ?? "", locale: "de-DE" },
    { ...nobody, name: "pay-paid-german", path: links.paid ?? "", locale: "de-DE" },
    { ...nobody, name: "pay-wrong-fields", path: `${links.open}?problem=number_invalid,expiry_past` },
    { ...nobody, name: "pay-limited", path: `${links.open}?problem=rate_limited` },
    { ...nobody, name: "pay-not-found", path: "/pay/unknown" },
    { ...nobody, name: "receipt-paid", path: `${links.paid}/receipt` },
    { ...nobody, name: "receipt-refunded", path: `${links.partly_refunded}/receipt` },
    { ...nobody, name: "receipt-too-early", path: `${links.open}/receipt` },
    { ...nobody, name: "invoice-page", path: `${links.open}/invoice` },
    { ...nobody, name: "credit-note-page", path: creditNote },
    { ...nobody, name: "challenge", path: challenge },
    { ...nobody, name: "sign-in", path: "/sign-in" },
    { ...nobody, name: "sign-in-refused", path: "/sign-in", act: press("Sign in") },
    { ...nobody, name: "set-up-closed", path: "/setup" },
    { ...nobody, name: "reset-over", path: "/reset-password/unknown" },
    { ...nobody, name: "not-found-root", path: "/nowhere" },
  ];
}

/** The demo's business, as it is. */
export const businessShots: readonly Shot[] = [
  { as: "admin", name: "home", path: "/dashboard" },
  { as: "admin", name: "home-90-days", path: "/dashboard?days=90" },
  { as: "admin", name: "home-german", path: "/dashboard", locale: "de-DE" },
  { as: "admin", name: "requests", path: "/dashboard/payment-requests" },
  { as: "admin", name: "requests-german", path: "/dashboard/payment-requests", locale: "de-DE" },
  { as: "admin", name: "invoices", path: "/dashboard/invoices" },
  { as: "admin", name: "subscriptions", path: "/dashboard/subscriptions" },
  { as: "admin", name: "subscriptions-german", path: "/dashboard/subscriptions", locale: "de-DE" },
  { as: "admin", name: "transactions", path: "/dashboard/transactions" },
  { as: "admin", name: "accounts", path: "/dashboard/accounts" },
];

/** The dashboard's pages, with their dialogs, empty states and error states. */
export function dashboardShots(seeded: Seeded): Shot[] {
  const { payments, charge, refund, account, closed, subscriptions, subscriber } = seeded;
  const admin = { as: "admin" } as const;
  const requests = "/dashboard/payment-requests";
  const transactions = "/dashboard/transactions";
  const accounts = "/dashboard/accounts";
  return [
    { ...admin, name: "password", path: "/dashboard/password" },
    { ...admin, name: "password-problems", path: "/dashboard/password", act: press("Change password") },
    { ...admin, name: "requests-filtered-empty", path: `${requests}?reference=nothing` },
    { ...admin, name: "request-new", path: `${requests}/new`, act: showPreview },
    { ...admin, name: "request-new-problems", path: `${requests}/new`, act: press("Create payment request") },
    { ...admin, name: "request-new-subscription", path: `${requests}/new?type=subscription`, act: typeTrial },
    { ...admin, name: "request-new-invoice", path: `${requests}/new?type=invoice`, act: typeInvoice },
    { ...admin, name: "invoices-credited", path: "/dashboard/invoices?credited=true" },
    { ...admin, name: "subscriptions-filters-open", path: "/dashboard/subscriptions", act: press(/^Filter/) },
    ...Object.entries(subscriptions).map(([status, id]) => ({
      ...admin,
      name: `subscription-${status}`,
      path: `/dashboard/subscriptions/${id}`,
    })),
    { ...admin, name: "customer-subscriber", path: `/dashboard/customers/${subscriber}` },
    ...Object.entries(payments).map(([state, id]) => ({
      ...admin,
      name: `request-${state}`,
      path: `${requests}/${id}`,
    })),
    { ...admin, name: "request-capture", path: `${requests}/${payments.authorized}`, act: press(/^Capture/) },
    { ...admin, name: "request-more", path: `${requests}/${payments.open}`, act: press("More") },
    { ...admin, name: "request-cancel", path: `${requests}/${payments.open}`, act: act(/^Cancel/) },
    { ...admin, name: "request-refund", path: `${requests}/${payments.paid}`, act: press(/^Refund/) },
    { ...admin, name: "transactions-filtered", path: `${transactions}?type=payment&currency=EUR` },
    { ...admin, name: "transactions-filters-open", path: transactions, act: press(/^Filter/) },
    { ...admin, name: "transactions-view", path: `${transactions}?type=refund`, act: press("Save view") },
    { ...admin, name: "transactions-display", path: transactions, act: press("Display") },
    { ...admin, name: "transactions-filtered-empty", path: `${transactions}?reference=nothing` },
    { ...admin, name: "transactions-wrong-filter", path: `${transactions}?status=nonsense` },
    { ...admin, name: "transaction", path: `${transactions}/${charge}` },
    { ...admin, name: "transaction-of-refund", path: `${transactions}/${refund}` },
    { ...admin, name: "transaction-refund", path: `${transactions}/${charge}`, act: press(/^Refund/) },
    { ...admin, name: "transaction-new", path: `${transactions}/new` },
    { ...admin, name: "account", path: `${accounts}/${account}` },
    { ...admin, name: "account-closed", path: `${accounts}/${closed}` },
    { ...admin, name: "account-new", path: `${accounts}/new` },
    { ...admin, name: "account-edit", path: `${accounts}/${account}/edit`, act: showPreview },
    { ...admin, name: "account-close", path: `${accounts}/${account}`, act: act(/^Close/) },
    { ...admin, name: "not-found", path: "/dashboard/nowhere" },
    { as: "member", name: "member-requests-empty", path: requests },
    { as: "member", name: "member-transactions-empty", path: transactions },
    { as: "member", name: "member-accounts", path: accounts },
  ];
}

/** The pages for people and settings, and the hosted pages that lead into the dashboard. */
export function peopleShots({ colleague, leaver, mail, invitation }: People): Shot[] {
  const nobody = { as: "nobody" } as const;
  const admin = { as: "admin" } as const;
  const users = "/dashboard/users";
  const keys = "/dashboard/api-keys";
  const mails = "/dashboard/mails";
  const log = "/dashboard/audit-log";
  const settings = "/dashboard/settings";
  const profile = "/dashboard/profile";
  return [
    { ...nobody, name: "forgot-password", path: "/forgot-password" },
    { ...nobody, name: "sign-up", path: "/sign-up" },
    { ...nobody, name: "sign-up-german", path: "/sign-up", locale: "de-DE" },
    { ...nobody, name: "invitation", path: invitation },
    { ...nobody, name: "invitation-over", path: "/invitation/unknown" },
    { ...nobody, name: "email-link-over", path: "/email/unknown" },
    { ...admin, name: "users", path: users },
    { ...admin, name: "users-filters-open", path: users, act: press(/^Filter/) },
    { ...admin, name: "users-filtered-empty", path: `${users}?q=nobody` },
    { ...admin, name: "user", path: `${users}/${colleague}` },
    { ...admin, name: "user-role", path: `${users}/${colleague}`, act: press("Change role") },
    { ...admin, name: "user-remove", path: `${users}/${leaver}`, act: press("Remove user") },
    { ...admin, name: "invitations", path: `${users}/invitations` },
    { ...admin, name: "invite", path: `${users}/invite` },
    { ...admin, name: "invite-problems", path: `${users}/invite`, act: press("Invite") },
    { ...admin, name: "api-keys", path: keys },
    { ...admin, name: "api-key-new", path: `${keys}/new` },
    {
      ...admin,
      name: "api-key-accounts",
      path: `${keys}/new`,
      act: (page) => page.getByRole("combobox", { name: "Account" }).focus(),
    },
    { ...admin, name: "api-key-rotate", path: keys, act: press(/^Rotate/) },
    { ...admin, name: "api-key-revoke", path: keys, act: press(/^Revoke/) },
    { ...admin, name: "mails", path: mails },
    { ...admin, name: "mail", path: `${mails}/${mail}` },
    { ...admin, name: "mail-text", path: `${mails}/${mail}?view=text` },
    { ...admin, name: "audit-log", path: log },
    { ...admin, name: "audit-log-filters-open", path: log, act: press(/^Filter/) },
    { ...admin, name: "settings-organization", path: `${settings}/organization` },
    { ...admin, name: "settings-security", path: `${settings}/security` },
    { ...admin, name: "settings-mail", path: `${settings}/mail` },
    { ...admin, name: "settings-server", path: `${settings}/server` },
    { ...admin, name: "profile", path: profile },
    { ...admin, name: "profile-authenticator", path: `${profile}/authenticator`, act: press("Begin") },
    { ...admin, name: "email-change", path: "/dashboard/email" },
    { as: "member", name: "member-profile", path: profile },
  ];
}

/** Pages with problems, or with content that is hard to fit. */
export function troubleShots({ links, long, overpaid, account, large, reset, makeStale, breakList }: Trouble): Shot[] {
  const nobody = { as: "nobody" } as const;
  const admin = { as: "admin" } as const;
  const askForPassword = async (page: Page) => {
    makeStale();
    await page.getByRole("button", { name: "Refund", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Refund this payment" });
    await dialog.getByRole("button", { name: /^Refund €/ }).click();
    await dialog.getByLabel("Password", { exact: true }).waitFor();
  };
  const refuse = async (page: Page) => {
    await askForPassword(page);
    await page.keyboard.type("wrong");
    await page.keyboard.press("Enter");
    await page.getByText("The password is wrong.").waitFor();
  };
  const showFailure = async (page: Page) => {
    const repair = breakList();
    await page.reload();
    await page.getByRole("heading", { name: "Something went wrong" }).waitFor();
    repair();
  };
  const openMenu = press(/user menu/);
  return [
    ...Object.entries(links).map(([name, path]): Shot => ({ ...nobody, name: `pay-${name}`, path })),
    { ...nobody, name: "receipt-dinar", path: `${links.dinar}/receipt` },
    { ...nobody, name: "reset", path: reset },
    { ...nobody, name: "reset-problem", path: reset, act: (page) => sendShortPassword(page) },
    { ...admin, name: "attention", path: "/dashboard/payment-requests" },
    { ...admin, name: "attention-refund", path: "/dashboard/accounts", act: press(/^Refund €/) },
    { ...admin, name: "jobs", path: "/dashboard/jobs" },
    { ...admin, name: "request-long", path: `/dashboard/payment-requests/${long}` },
    { ...admin, name: "request-overpaid", path: `/dashboard/payment-requests/${overpaid}` },
    { ...admin, name: "transactions-long", path: "/dashboard/transactions" },
    { ...admin, name: "transactions-failed", path: "/dashboard/transactions", act: showFailure },
    { ...admin, name: "account-long", path: `/dashboard/accounts/${account}` },
    { ...admin, name: "accounts-long", path: "/dashboard/accounts" },
    { ...admin, name: "step-up", path: `/dashboard/transactions/${large}`, act: askForPassword },
    { ...admin, name: "step-up-wrong", path: `/dashboard/transactions/${large}`, act: refuse },
    { ...admin, name: "user-menu", path: "/dashboard/password", act: openMenu },
    { as: "member", name: "forbidden", path: "/dashboard/jobs" },
  ];
}

async function sendShortPassword(page: Page): Promise<void> {
  // Otherwise the browser would show its own message.
  await page.locator("form").evaluate((form: HTMLFormElement) => {
    form.noValidate = true;
  });
  await page.getByLabel("New password").fill("short");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").waitFor();
}
