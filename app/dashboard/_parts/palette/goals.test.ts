// Which actions the search over everything offers.
import { expect, test } from "vitest";
import { catalogs } from "@/app/_i18n/catalogs";
import type { RuleName } from "@/server/access/rules";
import { listShape as invoices } from "../../invoices/_parts/list-shape";
import { listShape as paymentRequests } from "../../payment-requests/_parts/list-shape";
import { listShape as subscriptions } from "../../subscriptions/_parts/list-shape";
import { listShape as transactionsOf } from "../../transactions/_parts/list-shape";
import { movements } from "../../transactions/_parts/movements";
import { actions, goalsFor, pages, searchedLists } from "./goals";

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

test("each list that can be searched is offered for a text", () => {
  for (const { path, filters } of [paymentRequests, invoices, subscriptions, transactionsOf(true)]) {
    expect([path, searchedLists.some((key) => pages[key].href === path)]).toEqual([path, filters.includes("q")]);
  }
});
