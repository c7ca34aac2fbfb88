// Which actions the search over everything offers.
import { expect, test } from "vitest";
import { catalogs } from "@/app/_i18n/catalogs";
import type { RuleName } from "@/server/access/rules";
import { listShape as invoices } from "../../invoices/_parts/list-shape";
import { listShape as paymentRequests } from "../../payment-requests/_parts/list-shape";
import { listShape as subscriptions } from "../../subscriptions/_parts/list-shape";
import { listShape as transactionsOf } from "../../transactions/_parts/list-shape";
import { movements } from "../../transactions/_parts/movements";
import { actions, acts, goalsFor, keysOf, pages, searchedLists } from "./goals";
import { matching } from "./matching";

test("each form for a new transaction is an action, for those who may use it", () => {
  for (const type of ["payment", ...movements] as const) {
    const rule: RuleName = `transactions.create.${type}`;
    const found = goalsFor((asked) => asked === rule).actions.map((key) => actions[key].href);
    expect(found).toEqual([`/dashboard/transactions/new${type === "payment" ? "" : `?type=${type}`}`]);
  }
});

test.each(["en", "de"] as const)("actions have the names of their forms (%s)", (locale) => {
  const { palette, newTransaction } = catalogs[locale];
  const { newTransfer, newCredit, newAdjustment } = palette.actions;
  const { transfer, credit, adjustment } = newTransaction.titles;
  expect([newTransfer, newCredit, newAdjustment]).toEqual([transfer, credit, adjustment]);
});

/** The titles of what a text finds, actions first. */
function found(locale: "en" | "de", typed: string): string[] {
  const { palette } = catalogs[locale];
  const named = [
    ...keysOf(actions).map((key) => ({ title: palette.actions[key], synonyms: palette.synonyms[key] })),
    ...keysOf(pages).map((key) => ({ title: palette.pages[key], synonyms: palette.synonyms[key] })),
    ...acts.map((key) => ({ title: palette.acts[key], synonyms: palette.synonyms[key] })),
  ];
  return matching(named, typed).map(({ title }) => title);
}

test.each([
  ["en", "refund", ["Refund a payment", "Transactions"]],
  ["en", "new sub", ["New subscription"]],
  ["en", "overdue", ["Overdue payment requests", "Payment requests", "Invoices"]],
  ["en", "webhook", ["API keys", "Failed jobs", "Sandbox · Settings"]],
  ["en", "clock", ["Sandbox · Settings"]],
  ["en", "logo", ["Accounts", "Sign out"]],
  ["en", "tax", ["New invoice", "Invoices", "Accounts"]],
  ["en", "team", ["Invite a user", "Users", "Invitations"]],
  ["en", "server", ["Server · Settings", "Mail · Settings"]],
  ["en", "password", ["Change password", "Profile and sessions"]],
  ["de", "erstatt", ["Zahlung erstatten", "Transaktionen"]],
  ["de", "refund", ["Zahlung erstatten", "Transaktionen"]],
  ["de", "überfällig", ["Überfällige Zahlungsanfragen", "Zahlungsanfragen", "Rechnungen"]],
  ["de", "webhook", ["API-Schlüssel", "Fehlgeschlagene Jobs", "Testumgebung · Einstellungen"]],
  ["de", "uhr", ["Testumgebung · Einstellungen"]],
  ["de", "logo", ["Konten", "Abmelden"]],
  ["de", "steuer", ["Neue Rechnung", "Rechnungen", "Konten"]],
  ["de", "team", ["Benutzer einladen", "Benutzer", "Einladungen"]],
  ["de", "kennwort", ["Profil und Sitzungen", "Passwort ändern"]],
  ["de", "server", ["Server · Einstellungen", "E-Mail · Einstellungen"]],
] as const)("%s: %s finds what it may mean, the titles that say it first", (locale, typed, expected) => {
  expect(found(locale, typed)).toEqual(expected);
});

/** Everyday words and abbreviations, also of the other language, each with something that it must lead to. */
const everyday = {
  en: {
    ...{ rechnung: "New invoice", erstattung: "Refund a payment", kunde: "New customer", abo: "New subscription" },
    ...{ csv: "Transactions", pdf: "Invoices", void: "Invoices", payout: "New transfer", bank: "Record a payment" },
    ...{ zahlungseingang: "Record a payment", vat: "New invoice", ust: "Invoices", mwst: "Accounts" },
    ...{ mahnung: "Invoices", dsgvo: "Customers", gdpr: "Organization · Settings", passwort: "Change password" },
    ...{ "sign out": "Sign out", abmelden: "Sign out", uhr: "Sandbox · Settings" },
    ...{
      logout: "Sign out",
      "log out": "Sign out",
      ausloggen: "Sign out",
      dark: "Color scheme: Dark",
      dunkel: "Color scheme: Dark",
    },
  },
  de: {
    ...{ invoice: "Neue Rechnung", refund: "Zahlung erstatten", customer: "Neuer Kunde", clock: "Testumgebung" },
    ...{ csv: "Transaktionen", pdf: "Rechnungen", void: "Rechnungen", auszahlung: "Neue Umbuchung" },
    ...{ bank: "Zahlung erfassen", zahlungseingang: "Zahlung erfassen", tax: "Neue Rechnung", vat: "Konten" },
    ...{ ust: "Rechnungen", mwst: "Neue Rechnung", mahnung: "E-Mails", dsgvo: "Kunden", password: "Passwort ändern" },
    ...{ "sign out": "Abmelden", ausloggen: "Abmelden", settings: "Server · Einstellungen" },
    ...{ dark: "Farbschema: Dunkel", dunkel: "Farbschema: Dunkel", logout: "Abmelden", "log out": "Abmelden" },
    ...{ abmelden: "Abmelden" },
  },
} as const;

test.each(["en", "de"] as const)("everyday words of both languages find what they mean (%s)", (locale) => {
  for (const [typed, title] of Object.entries(everyday[locale])) {
    const titles = found(locale, typed);
    expect([typed, titles.some((one) => one.startsWith(title)), titles]).toEqual([typed, true, titles]);
  }
});

test.each([
  ["en", ["Payment requests", "Invoices", "Transactions", "Audit log"]],
  ["de", ["Zahlungsanfragen", "Rechnungen", "Transaktionen", "Prüfprotokoll"]],
] as const)("%s: each page with an export is found by that word", (locale, expected) => {
  expect(found(locale, "export")).toEqual(expected);
});

test("a letter or two find no synonyms, and a text without words finds nothing", () => {
  expect(found("en", "cl")).toEqual([]);
  expect(found("en", "%")).toEqual([]);
});

test.each(["en", "de"] as const)("pages of the settings are found under one pattern of names (%s)", (locale) => {
  const { settings, palette } = catalogs[locale];
  const shown = ["organization", "security", "mail", "sandbox", "server"] as const;
  const names = shown.map((page) => `${settings[page]} · ${settings.pages}`);
  expect(found(locale, settings.pages).toSorted()).toEqual(names.toSorted());
  const { organization, security, mailSettings, sandboxClock, serverSettings } = palette.pages;
  expect([organization, security, mailSettings, sandboxClock, serverSettings]).toEqual(names);
});

test("each list that can be searched is offered for a text", () => {
  for (const { path, filters } of [paymentRequests, invoices, subscriptions, transactionsOf(true)]) {
    expect([path, keysOf(searchedLists).some((key) => pages[key].href === path)]).toEqual([
      path,
      filters.includes("q"),
    ]);
  }
});
