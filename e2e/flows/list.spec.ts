// Common to all lists: the address is the only state, "select all" means all matches, going back keeps the place.
import type { Page } from "playwright/test";
import { memberPassword, newOrganization, receive } from "../contract/people";
import { expect, test } from "../fixtures";
import { breakTransaction } from "../trouble";
import { expectAccessible, motionOf, watchForFaults } from "./page-checks";
import { enter, enterAt, untilInteractive } from "./signing-in";
import { delayNavigations } from "./slow-connection";

const listPath = "/dashboard/transactions";
const currency = "SEK";
const matching = 23;

const rows = (page: Page) => page.locator("[data-row]");
const status = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text });
const parameters = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

test.beforeEach(({ page }) => watchForFaults(page));

test.beforeAll(async ({ api, adminToken }) => {
  // Named by id: other files of the same worker may have given the admin further accounts.
  const accounts = await api<{ data: { account_id: string }[] }>("GET", "/v1/auth/accounts?status=open&limit=1", {
    token: adminToken,
  });
  const account_id = accounts.body.data[0]?.account_id;
  for (let count = 1; count <= matching; count++) {
    const metadata = { batch: count % 2 ? "odd" : "even" };
    const body = { type: "payment", account_id, amount: count * 100, currency, metadata };
    expect((await api("POST", "/v1/transactions", { token: adminToken, body })).status).toBe(200);
  }
});

test("filters are in the address under the API's names, and each can be removed", async ({ page }) => {
  await enter(page, listPath);
  await page.getByRole("button", { name: "Filters" }).click();
  const drawer = page.getByRole("dialog", { name: "Filters" });
  await drawer.getByLabel("Succeeded").check();
  await drawer.getByLabel("Authorized").check();
  await drawer.getByLabel("Currency").selectOption(currency);
  await drawer.getByLabel("Amount from").fill("11,50");
  await expect(drawer.getByLabel("Amount from")).toHaveAccessibleDescription(/11\.50$/);
  await drawer.getByRole("textbox", { name: "Metadata, Key", exact: true }).fill("batch");
  await drawer.getByRole("textbox", { name: "Metadata, Value", exact: true }).fill("odd");
  const periods = drawer.getByRole("group", { name: "From – To" });
  const period = (name: string) => periods.getByRole("button", { name });
  await period("Last month").click();
  await expect(drawer.getByLabel("To", { exact: true })).toHaveValue(/-(28|29|30|31)$/);
  await period("Today").click();
  await expect(period("Today")).toHaveAttribute("aria-pressed", "true");
  const today = await drawer.getByLabel("From", { exact: true }).inputValue();
  await expect(drawer.getByLabel("To", { exact: true })).toHaveValue(today);
  await expect(status(page, today.slice(0, 4))).toBeVisible();
  await period("Today").click();
  await expect(drawer.getByLabel("From", { exact: true })).toHaveValue("");
  const show = drawer.getByRole("button", { name: "Show results" });
  await drawer.getByLabel("From", { exact: true }).fill("2026-03-02");
  await drawer.getByLabel("To", { exact: true }).fill("2026-03-01");
  await show.click();
  await expect(drawer.getByLabel("To", { exact: true })).toBeFocused();
  await drawer.getByLabel("From", { exact: true }).fill("");
  await drawer.getByLabel("To", { exact: true }).fill("");
  const upTo = drawer.getByLabel("Amount to");
  await upTo.fill("11.49");
  await show.click();
  await expect(upTo).toBeFocused();
  await expect(upTo).toHaveAccessibleDescription(/less than the amount before it/);
  await expectAccessible(page);
  await upTo.fill("");
  await show.click();
  await expect(status(page, "6 matches")).toBeVisible();
  expect(parameters(page)).toEqual({
    status: "authorized,succeeded",
    currency,
    amount_min: "1150",
    "metadata[batch]": "odd",
  });
  await expect(drawer).toBeHidden();

  const address = page.url();
  await page.reload();
  await expect(status(page, "6 matches")).toBeVisible();
  await page.getByRole("link", { name: "Remove filter Metadata batch: odd" }).click();
  await expect(status(page, "12 matches")).toBeVisible();
  await page.goBack();
  await expect(status(page, "6 matches")).toBeVisible();
  expect(page.url()).toBe(address);
  // A slow answer shows that it is on its way, and moves nothing.
  const release = await delayNavigations(page);
  const before = await rows(page).first().boundingBox();
  await page.getByRole("link", { name: "Clear all" }).click();
  await expect(page.getByRole("main")).toHaveAttribute("aria-busy", "true");
  expect(await rows(page).first().boundingBox()).toEqual(before);
  release();
  await page.waitForURL((url) => url.search === "");
  await expect(status(page, "in total")).toBeVisible();
  await expect(page.getByRole("main")).not.toHaveAttribute("aria-busy");
});

test("a list that the server cannot read says so, and is loaded on another try", async ({ page, server }) => {
  await enter(page, `${listPath}?currency=${currency}`);
  const repair = breakTransaction(server, (await rows(page).first().getAttribute("data-row")) ?? "");
  try {
    await page.reload();
    await expect(page.getByRole("heading", { name: "Something went wrong" })).toBeVisible();
    await expectAccessible(page);
  } finally {
    repair();
  }
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(status(page, `${matching} matches`)).toBeVisible();
});

test("a filter without matches and an invalid filter are reported with a link to reset them", async ({ page }) => {
  await enter(page, listPath);
  await page.goto(`${listPath}?q=zzzunheardof`);
  await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();
  await expect(page.getByRole("searchbox")).toHaveValue("zzzunheardof");
  await expectAccessible(page);
  await page.goto(`${listPath}?amount_min=plenty&currency=${currency}&created_from=x`);
  await expect(page.getByRole("heading", { name: "These filters do not work" })).toBeVisible();
  await expect(page.getByText("“Amount from” must be an amount.")).toBeVisible();
  await expect(page.getByText(/amount_min|created_from/)).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Save view" })).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Clear filters" }).click();
  await expect(status(page, `${matching} matches`)).toBeVisible();
  expect(parameters(page)).toEqual({ currency });
  for (const path of [listPath, "/dashboard/payment-requests", "/dashboard/accounts"]) {
    await page.goto(`${path}?status=nonsense&q=%00`);
    await expect(page.getByRole("link", { name: "Clear filter" })).toBeVisible();
  }
});

test("columns and page size are chosen, and the list shows them from then on", async ({ page, api, server }) => {
  const person = await newOrganization(server, api);
  for (let count = 1; count <= matching; count++) await receive(api, person, count * 100);
  await enter(page, listPath, { ...person, password: memberPassword });
  await expect(rows(page)).toHaveCount(20);
  await page.getByRole("button", { name: "Display" }).click();
  await page.getByLabel("ID", { exact: true }).check();
  await expect(page.getByRole("columnheader", { name: "ID" })).toBeVisible();
  await page.getByLabel("Type", { exact: true }).uncheck();
  await expect(page.getByRole("columnheader", { name: "Type" })).toHaveCount(0);
  await expectAccessible(page);
  // Text whose color fades while its background changes instantly is unreadable in between.
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "no-preference" });
  expect((await motionOf(page)).filter((motion) => motion.startsWith("color "))).toEqual([]);
  await page.getByText("50", { exact: true }).click();
  await expect(rows(page)).toHaveCount(matching);
  await page.keyboard.press("Escape");
  expect(parameters(page)).toMatchObject({ limit: "50" });
  await page.goto(listPath);
  await expect(rows(page)).toHaveCount(matching);
  await expect(page.getByRole("columnheader", { name: "ID" })).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "Type" })).toHaveCount(0);
});

test("choices made before the list shows them add up, and lead nobody back to a list that was left", async ({
  page,
  api,
  server,
}) => {
  const person = await newOrganization(server, api);
  await receive(api, person, 100);
  await enter(page, listPath, { ...person, password: memberPassword });
  await untilInteractive(page);
  let calls = 0;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/views.setDisplay**", async (route) => {
    calls++;
    await released;
    await route.continue();
  });
  await page.getByRole("button", { name: "Display" }).click();
  await page.getByLabel("ID", { exact: true }).check();
  await page.getByText("50", { exact: true }).click();
  await page.keyboard.press("Escape");
  await expect.poll(() => calls).toBe(1);
  await page.getByRole("navigation").getByRole("link", { name: "Accounts", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Accounts" })).toBeVisible();
  const answered = page.waitForResponse((response) => /setDisplay/.test(response.url()) && calls === 2);
  release();
  await answered;
  await page.waitForLoadState("networkidle");
  expect(new URL(page.url()).pathname).toBe("/dashboard/accounts");
  await page.goto(listPath);
  await expect(page.getByRole("columnheader", { name: "ID" })).toBeVisible();
  await page.getByRole("button", { name: "Display" }).click();
  await expect(page.getByRole("radio", { name: "50", exact: true })).toBeChecked();
});

test("a column that is chosen while the list loads stays chosen", async ({ page, api, server }) => {
  const person = await newOrganization(server, api);
  await receive(api, person, 100);
  await enter(page, listPath, { ...person, password: memberPassword });
  await untilInteractive(page);
  let calls = 0;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/views.setDisplay**", async (route) => {
    calls++;
    if (calls > 1) await released;
    await route.continue();
  });
  let shows = () => {};
  const shown = new Promise<void>((resolve) => {
    shows = resolve;
  });
  await page.route(/columns=.*_rsc=/, async (route) => {
    await shown;
    await route.continue();
  });
  await page.getByRole("button", { name: "Display" }).click();
  const asked = page.waitForRequest(/columns=.*_rsc=/);
  await page.getByLabel("ID", { exact: true }).check();
  await asked;
  await page.getByLabel("Status", { exact: true }).uncheck();
  shows();
  await expect(page.getByRole("columnheader", { name: "ID" })).toBeVisible();
  await expect(page.getByLabel("Status", { exact: true })).not.toBeChecked();
  await page.getByLabel("Type", { exact: true }).uncheck();
  release();
  await expect(page.getByRole("columnheader", { name: "Type" })).toHaveCount(0);
  await expect(page.getByRole("columnheader", { name: "Status" })).toHaveCount(0);
});

test("filters are saved as a view, changed, found, renamed and removed by keyboard", async ({ page, api, server }) => {
  const person = await newOrganization(server, api);
  await receive(api, person, 900, { description: "Wedding cake" });
  await enter(page, `${listPath}?type=payment`, { ...person, password: memberPassword });
  await untilInteractive(page);
  const menu = page.getByRole("button", { name: /^Views/ });
  const dialog = page.getByRole("dialog");
  await expect(menu).toHaveCount(0);
  await enterAt(page, page.getByRole("button", { name: "Save view" }));
  await expect(dialog.getByLabel("Name")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(dialog.getByLabel("Name")).toHaveAccessibleDescription("Enter a name.");
  await expectAccessible(page);
  await page.keyboard.type("Weddings");
  await page.keyboard.press("Enter");
  await expect(status(page, "Saved the view “Weddings”.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Save view" })).toHaveCount(0);
  await expect(menu).toHaveAccessibleName("Views, showing “Weddings”");
  await expect(status(page, "1 match")).toBeFocused();

  // Another filter: the view can be changed, or a new one saved.
  await page.getByRole("searchbox").fill("cake");
  await page.keyboard.press("Enter");
  await page.waitForURL("**q=cake**");
  await expect(page.getByRole("button", { name: "Save as new view" })).toBeVisible();
  await enterAt(page, page.getByRole("button", { name: "Save changes to “Weddings”" }));
  await expect(status(page, "Changed the view “Weddings”.")).toBeVisible();
  await page.reload();
  await expect(menu).toHaveAccessibleName("Views, showing “Weddings”");

  // A link from another page leads to filters that have nothing to do with the view.
  await page.getByRole("navigation").getByRole("link", { name: "Home", exact: true }).click();
  await page
    .locator("main")
    .getByRole("link", { name: /€9\.00/ })
    .first()
    .click();
  await expect(page.getByRole("button", { name: "Save view" })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Save changes/ })).toHaveCount(0);

  // From another page, the search over everything finds it.
  await page.goto("/dashboard");
  await untilInteractive(page);
  await page.keyboard.press("Control+k");
  await dialog.getByRole("combobox").fill("wed");
  await expect(dialog.getByRole("option", { name: "Weddings" })).toBeVisible();
  await page.keyboard.press("Enter");
  await page.waitForURL(`**${listPath}?**`);
  expect(parameters(page)).toEqual({ type: "payment", q: "cake" });

  await page.getByRole("link", { name: "Clear all" }).click();
  await page.waitForURL((url) => url.search === "");
  await enterAt(page, menu);
  await expect(page.getByRole("menuitem", { name: "Weddings" })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await page.waitForURL("**q=cake**");
  await menu.click();
  await page.getByRole("menuitem", { name: "Rename “Weddings”" }).click();
  await expect(dialog.getByLabel("Name")).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.type("Parties");
  await page.keyboard.press("Enter");
  await expect(status(page, "Renamed the view to “Parties”.")).toBeVisible();
  await menu.click();
  await page.getByRole("menuitem", { name: "Remove “Parties”" }).click();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Remove" }).click();
  await expect(status(page, "Removed the view “Parties”.")).toBeVisible();
  await expect(menu).toHaveCount(0);
});

test("a view of certain days says in the menu that they are fixed", async ({ page, api, server }) => {
  const person = await newOrganization(server, api);
  await receive(api, person, 900, { description: "Wedding cake" });
  await enter(page, `${listPath}?created_from=2026-01-01T00:00:00Z`, { ...person, password: memberPassword });
  await untilInteractive(page);
  await page.getByRole("button", { name: "Save view" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("This year");
  await page.keyboard.press("Enter");
  await expect(status(page, "Saved the view “This year”.")).toBeVisible();
  await page.getByRole("button", { name: /^Views/ }).click();
  await expect(page.getByRole("menuitem", { name: /^This year/ })).toHaveText("This year With fixed dates");
  await expectAccessible(page);
});

test("rows are selected one by one, by page, or by all matches", async ({ page }) => {
  await enter(page, `${listPath}?currency=${currency}`);
  await rows(page).first().getByRole("checkbox").check();
  await expect(status(page, "1 selected")).toBeVisible();
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await expect(status(page, "20 selected")).toBeVisible();
  await page.getByRole("button", { name: `Select all ${matching} matches` }).click();
  await expect(status(page, `${matching} selected`)).toBeVisible();
  await page.getByRole("link", { name: "Older" }).click();
  await expect(rows(page)).toHaveCount(matching - 20);
  await expect(status(page, "selected")).toHaveCount(0);
});

test("going back from a record returns to the same place, with its row marked", async ({ page }) => {
  await enter(page, `${listPath}?currency=${currency}`);
  await page.getByRole("link", { name: "Older" }).click();
  await expect(rows(page)).toHaveCount(matching - 20);
  const place = new URL(page.url());
  const id = (await rows(page).nth(1).getAttribute("data-row")) ?? "";
  await rows(page).nth(1).getByRole("link").first().click();
  await page.waitForURL(`**${listPath}/${id}`);
  await page.getByRole("main").getByRole("link", { name: "Transactions" }).first().click();
  await page.waitForURL((url) => url.searchParams.get("highlight") === id);
  expect(parameters(page)).toMatchObject(Object.fromEntries(place.searchParams));
  await expect(page.locator("[data-highlighted]")).toHaveAttribute("data-row", id);
  await expectAccessible(page);
});
