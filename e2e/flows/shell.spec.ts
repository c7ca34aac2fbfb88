// The shell around the dashboard's pages: keyboard, color schemes, phones, roles, not-found pages, page weight.
import { gzipSync } from "node:zlib";
import type { Page, Response } from "playwright/test";
import { expect, test } from "../fixtures";
import { payByForm } from "../payer";
import { expectAccessible, watchForFaults } from "./page-checks";
import { ask, newMember, sent } from "./requests";
import { enter, untilInteractive } from "./signing-in";

const places = ["/dashboard", "/dashboard/payment-requests", "/dashboard/transactions", "/dashboard/accounts"];
const [home = "", requests = "", transactions = "", accounts = ""] = places;
const phone = { width: 375, height: 740 };

const main = (page: Page) => page.getByRole("navigation", { name: "Main" });

/** Bytes of the scripts that a page begins with, compressed. */
const mostScript = 240 * 1024;

test.beforeEach(({ page }) => watchForFaults(page));

test("the Tab key reaches everything in order, the skip link first", async ({ page }) => {
  await enter(page, transactions);
  const stops = [
    page.getByRole("link", { name: "Skip to content" }),
    page.getByRole("button", { name: "Search everything" }),
    page.getByRole("button", { name: "Color scheme" }),
    page.getByRole("button", { name: /user menu/ }),
    page.getByRole("link", { name: "Quittance" }),
    main(page).getByRole("link", { name: "Home" }),
    main(page).getByRole("link", { name: "Payment requests" }),
    main(page).getByRole("link", { name: "Invoices" }),
    main(page).getByRole("link", { name: "Subscriptions" }),
    main(page).getByRole("link", { name: "Transactions" }),
    main(page).getByRole("link", { name: "Customers" }),
    main(page).getByRole("link", { name: "Accounts" }),
    main(page).getByRole("link", { name: "Users" }),
    main(page).getByRole("link", { name: "API keys" }),
    main(page).getByRole("link", { name: "Mail" }),
    main(page).getByRole("link", { name: "Audit log" }),
    main(page).getByRole("link", { name: "Failed jobs" }),
    main(page).getByRole("link", { name: "Settings" }),
  ];
  for (const stop of stops) {
    await page.keyboard.press("Tab");
    await expect(stop).toBeFocused();
    await expect(stop).toBeInViewport();
  }
  await expect(main(page).getByRole("link", { name: "Transactions" })).toHaveAttribute("aria-current", "page");
  await expect(page.getByText("Sandbox: no real money moves.")).toBeAttached();
});

test("single-key shortcuts navigate the dashboard, except in fields and when switched off", async ({ page }) => {
  await enter(page, transactions);
  await page.keyboard.press("g");
  await page.keyboard.press("a");
  await page.waitForURL(`**${accounts}`);
  await page.keyboard.press("g");
  await page.keyboard.press("t");
  await page.waitForURL(`**${transactions}`);
  await page.keyboard.press("g");
  await page.keyboard.press("h");
  await page.waitForURL(`**${home}`);
  await page.keyboard.press("g");
  await page.keyboard.press("p");
  await page.waitForURL(`**${requests}`);

  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(help.getByText("Go to transactions")).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("n");
  await page.keyboard.press("Escape");
  await expect(help).toBeHidden();
  await expect(page).toHaveURL(new RegExp(`${requests}$`));

  await page.keyboard.press("n");
  await page.waitForURL(`**${requests}/new`);
  await page.getByLabel("Description").pressSequentially("gtn?");
  await expect(page.getByLabel("Description")).toHaveValue("gtn?");

  await page.goto(accounts);
  await untilInteractive(page);
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox")).toBeFocused();
  await page.getByRole("searchbox").blur();

  await page.getByRole("button", { name: /user menu/ }).click();
  await expectAccessible(page);
  await page.getByRole("menuitem", { name: "Keyboard shortcuts" }).click();
  await expectAccessible(page);
  await help.getByLabel("Use single-key shortcuts").click();
  await page.keyboard.press("Escape");
  await page.reload();
  await untilInteractive(page);
  await page.keyboard.press("?");
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox")).not.toBeFocused();
  await expect(help).toBeHidden();
});

test("the search over everything opens records, pages and actions from the keyboard", async ({
  page,
  api,
  adminToken,
}) => {
  const customer = { name: "Grégoire Müller", email: `gregoire-${crypto.randomUUID()}@example.com` };
  const body = { type: "payment", amount: 123450, currency: "EUR", description: "Wedding cake", customer };
  const call = { token: adminToken, body };
  const paid = (await api<{ transaction_id: string }>("POST", "/v1/transactions", call)).body;
  await enter(page, accounts);
  const dialog = page.getByRole("dialog", { name: "Search everything" });
  const field = dialog.getByRole("combobox", { name: "Search everything" });
  const marked = dialog.getByRole("option", { selected: true });
  await page.keyboard.press("Control+k");
  await expect(field).toBeFocused();
  await expect(marked).toHaveText("New payment request");
  await page.keyboard.press("ArrowUp");
  await expect(marked).toHaveText("Sign out");
  await expect(marked).toBeInViewport();
  await expectAccessible(page);

  await field.fill("invit us");
  await expect(dialog.getByRole("option")).toHaveText(["Invite a user"]);
  await field.fill("gregoire muller");
  await expect(dialog.getByRole("status")).toHaveText(/^\d+ results?$/);
  await expect(dialog.getByRole("group", { name: "Transactions" }).getByRole("option").first()).toContainText(
    "Wedding cake",
  );
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();

  const button = page.getByRole("button", { name: "Search everything" });
  await button.click();
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("");
  await page.keyboard.press("Escape");
  await expect(button).toBeFocused();

  await page.keyboard.press("Control+k");
  await field.fill(paid.transaction_id);
  await expect(marked).toContainText("Wedding cake");
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/${paid.transaction_id}`);
  await expect(dialog).toBeHidden();

  // A search that the reader has typed past is canceled, so that none pile up.
  await page.keyboard.press("Control+k");
  const abandoned = /search\.find.*abandoned/;
  await page.route(abandoned, () => {});
  const asked = page.waitForRequest(abandoned);
  const canceled = page.waitForEvent("requestfailed", (request) => abandoned.test(request.url()));
  await field.fill("abandoned");
  await asked;
  await field.fill("nobody has this name");
  await canceled;
  await expect(dialog.getByRole("status")).toHaveText("No results for “nobody has this name”.");
  await field.fill("%");
  await expect(dialog.getByRole("status")).toHaveText("Type at least one letter or digit.");
  await field.fill("ß");
  await expect(dialog.getByRole("status")).toHaveText("Nothing found that begins with “ß”. Type more letters.");
  await expect(dialog.getByRole("option")).toHaveCount(0);
});

test("the search over everything asks once for what is typed, and finds pages by what they are for", async ({
  page,
  api,
  adminToken,
}) => {
  const description = `Madeleines ${crypto.randomUUID()}`;
  for (let count = 0; count < 5; count++) {
    const body = { type: "payment", amount: 700 + count, currency: "EUR", description };
    await api("POST", "/v1/transactions", { token: adminToken, body });
  }
  await enter(page, home);
  const asked: string[] = [];
  page.on("request", (request) => request.url().includes("search.find") && asked.push(request.url()));
  await page.keyboard.press("Control+k");
  const dialog = page.getByRole("dialog", { name: "Search everything" });
  const field = dialog.getByRole("combobox", { name: "Search everything" });
  const status = dialog.getByRole("status");
  // No pause between two keys is longer than the page waits, however busy the machine is.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1_000);
  await field.pressSequentially(description);
  await page.clock.resume();
  await expect(status).toHaveText("6 results");
  expect(asked).toHaveLength(1);
  // Only the list that may have more is offered.
  await expect(dialog.getByRole("group", { name: "All results" }).getByRole("option")).toHaveText([
    /^Transactions with/,
  ]);

  await field.fill("sandb");
  await expect(dialog.getByRole("option")).toHaveText(["Sandbox · Settings"]);
  await expect(status).toHaveText("1 result");
  await expect(dialog.getByText(/No results/)).toHaveCount(0);
  await field.fill("new subscr");
  await expect(dialog.getByRole("option").first()).toHaveText("New subscription");
  await field.fill("refund");
  await expect(dialog.getByRole("option", { selected: true })).toHaveText(/^Refund a payment.*then Refund$/);
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await page.waitForURL(`**${transactions}?type=payment&status=succeeded,partially_refunded`);
  await expect(page.getByRole("row").filter({ hasText: description }).first()).toBeVisible();
});

test("the search over everything offers the list of subscriptions by the number of subscriptions found", async ({
  page,
  api,
  adminToken,
}) => {
  const member = await newMember(api, adminToken);
  const before = { name: "Harbour Cafe", email: "harbour-cafe@example.com" };
  const { customer_id } = await sent<{ customer_id: string }>(api, member.token, "/v1/customers", before);
  const terms = { interval: "month", interval_count: 1 };
  for (let count = 0; count < 5; count++) {
    const box = { type: "subscription", description: "Bread box", customer: { customer_id }, subscription: terms };
    await payByForm((await ask(api, member, box)).payment_url);
    await ask(api, member, { description: "Wedding cake" });
  }
  // The new name finds the subscriptions, but not their payment requests, which keep the former name.
  const name = "Pier & Sons";
  const renamed = await api("PATCH", `/v1/customers/${customer_id}`, { token: member.token, body: { name } });
  expect(renamed.status, renamed.text).toBe(200);

  await enter(page, home, member);
  await page.keyboard.press("Control+k");
  const dialog = page.getByRole("dialog", { name: "Search everything" });
  const field = dialog.getByRole("combobox", { name: "Search everything" });
  const lists = dialog.getByRole("group", { name: "All results" }).getByRole("option");
  await field.fill("Wedding cake");
  await expect(lists).toHaveText(["Payment requests with “Wedding cake”", "Invoices with “Wedding cake”"]);
  await field.fill(name);
  await expect(dialog.getByRole("group", { name: "Subscriptions" }).getByRole("option")).toHaveCount(5);
  await expect(dialog.getByRole("group", { name: "Payment requests" })).toHaveCount(0);
  await expect(lists).toHaveText([`Subscriptions with “${name}”`]);
  await expect(lists).toHaveAttribute("href", "/dashboard/subscriptions?q=Pier%20%26%20Sons");
  await lists.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Subscriptions");
  await expect(page.locator("[data-row]")).toHaveCount(5);
});

test("the search over everything changes the color scheme and signs out", async ({ page, api, adminToken }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await enter(page, home, await newMember(api, adminToken));
  const field = page.getByRole("combobox", { name: "Search everything" });
  await page.keyboard.press("Control+k");
  await field.fill("dark");
  await expect(page.getByRole("option", { name: "Color scheme: Dark" })).toHaveAttribute("aria-selected", "true");
  await field.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
  await expect(field).toHaveCount(0);

  // A half-filled form asks before anything ends.
  await page.goto("/dashboard/payment-requests/new");
  await page.getByLabel("Description").fill("Wedding cake");
  await page.getByLabel("Amount").fill("12");
  const signOut = async (isLeft: boolean) => {
    page.once("dialog", (dialog) => (isLeft ? dialog.accept() : dialog.dismiss()));
    await page.keyboard.press("Control+k");
    await field.fill("logout");
    await expect(page.getByRole("option", { name: "Sign out" })).toHaveAttribute("aria-selected", "true");
    await field.press("Enter");
  };
  await signOut(false);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Save as draft" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Draft of a payment request");
  await page.goto("/dashboard/payment-requests/new");
  await page.getByLabel("Description").fill("Wedding cake");
  await signOut(true);
  await expect(page).toHaveURL(/\/sign-in/);
});

test("the chosen color scheme persists and applies before any script of ours loads", async ({ page }) => {
  const root = page.locator("html");
  await page.emulateMedia({ colorScheme: "light" });
  await enter(page, transactions);
  const scheme = page.getByRole("button", { name: "Color scheme" });
  await expect(root).toHaveAttribute("data-mantine-color-scheme", "light");
  await scheme.click();
  await expect(page.getByRole("menuitemradio", { name: "System" })).toBeChecked();
  await page.getByRole("menuitemradio", { name: "Dark" }).click();
  await expect(root).toHaveAttribute("data-mantine-color-scheme", "dark");

  await page.route("**/*.js", (route) => route.abort());
  await page.reload({ waitUntil: "domcontentloaded" });
  await expect(root).toHaveAttribute("data-mantine-color-scheme", "dark");
  const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(ground).toBe("rgb(20, 22, 26)");
  await page.unroute("**/*.js");

  await page.reload();
  await untilInteractive(page);
  await scheme.click();
  await page.getByRole("menuitemradio", { name: "System" }).click();
  await expect(root).toHaveAttribute("data-mantine-color-scheme", "light");
});

test.describe("on a phone", () => {
  test.use({ viewport: phone, hasTouch: true });

  test("the navigation is in a drawer that returns focus when it closes", async ({ page }) => {
    await enter(page, transactions);
    const burger = page.getByRole("button", { name: "Menu", exact: true });
    await expect(main(page)).toBeHidden();
    await burger.click();
    const drawer = page.getByRole("dialog", { name: "Menu" });
    await expect(drawer.getByRole("link", { name: "Transactions" })).toHaveAttribute("aria-current", "page");
    await expectAccessible(page);
    await page.setViewportSize(phone);
    await page.keyboard.press("Escape");
    await expect(drawer).toBeHidden();
    await expect(burger).toBeFocused();
    await burger.click();
    await drawer.getByRole("link", { name: "Accounts" }).click();
    await page.waitForURL(`**${accounts}`);
    await expect(drawer).toBeHidden();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Accounts");
  });

  for (const path of places) {
    test(`${path} fits 320 px, and every target is large enough for a finger`, async ({ page, api, adminToken }) => {
      const body = { type: "payment", amount: 1250, currency: "EUR", description: "A description of some length" };
      await api("POST", "/v1/transactions", { token: adminToken, body });
      const request = { type: "product", amount: 1250, currency: "EUR" };
      expect((await api("POST", "/v1/payments", { token: adminToken, body: request })).status).toBe(200);
      await enter(page, path);
      await expect(page.getByRole("row").nth(1)).toBeVisible();
      await page.setViewportSize({ width: 320, height: 640 });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
      const small = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>("header button, main button, main [class*=button-link]")]
          .map((element) => [element.textContent, element.getBoundingClientRect()] as const)
          .filter(([, { width, height }]) => width > 0 && (height < 44 || width < 24))
          .map(([text, { width, height }]) => `${text} ${width}×${height}`),
      );
      expect(small).toEqual([]);
    });
  }
});

test("the sticky bar never covers the focused element", async ({ page, api, adminToken }) => {
  for (let count = 0; count < 20; count++) {
    const body = { type: "payment", amount: 100 + count, currency: "EUR" };
    await api("POST", "/v1/transactions", { token: adminToken, body });
  }
  await enter(page, transactions);
  await page.setViewportSize({ width: 1280, height: 500 });
  const links = page.locator("[data-row-link]");
  await links.last().focus();
  await expect(links.last()).toBeInViewport();
  for (let step = 0; step < 30; step++) {
    await page.keyboard.press("k");
    const top = await page.evaluate(() => document.activeElement?.closest("tr")?.getBoundingClientRect().top ?? -1);
    expect(top).toBeGreaterThanOrEqual(56);
  }
  await expect(links.first()).toBeFocused();
  await page.keyboard.press("j");
  await expect(links.nth(1)).toBeFocused();
});

test("an unknown address shows signed-in users a not-found page, and asks others to sign in", async ({ page }) => {
  await page.goto("/dashboard/nothing/here");
  await page.waitForURL("**/sign-in?next=%2Fdashboard%2Fnothing%2Fhere");
  await enter(page, transactions);
  const response = await page.goto("/dashboard/nothing/here");
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  await expect(main(page)).toBeVisible();
  await expectAccessible(page);
  await page.goto("/nowhere");
  await page.getByRole("link", { name: "Go to the dashboard" }).click();
  await page.waitForURL("**/dashboard**");
});

test("a member sees their account in the bar, and pages for admins are refused", async ({ page, api, adminToken }) => {
  const person = { email: `member-${crypto.randomUUID()}@example.com`, password: "a long enough passphrase" };
  const created = await api("POST", "/v1/users", {
    token: adminToken,
    body: { ...person, account: { account_type: "business", account_name: "Corner shop" } },
  });
  expect(created.status).toBe(200);
  await enter(page, transactions, person);
  await expect(page.getByRole("banner")).toContainText("Corner shop");
  const response = await page.goto("/dashboard/jobs");
  expect(response?.status()).toBe(403);
  await expect(page.getByRole("heading", { name: "Your role does not include this page" })).toBeVisible();
  await expect(main(page)).toBeVisible();
  await expectAccessible(page);
});

test("page weight stays within its budget", async ({ page }) => {
  const mostStyle = 45 * 1024;
  await enter(page, transactions);
  for (const path of ["/dashboard", transactions, `${requests}/new`, "/sign-in"]) {
    if (path === "/sign-in") await page.context().clearCookies();
    const loaded = new Map<string, Promise<number>>();
    const count = (response: Response) => {
      const kind = /\.(js|css)(\?|$)/.exec(response.url());
      if (kind)
        loaded.set(
          response.url(),
          response.body().then((body) => gzipSync(body).length),
        );
    };
    // What the page before is still loading does not count.
    await page.goto("about:blank");
    page.on("response", count);
    await page.goto(path, { waitUntil: "networkidle" });
    page.off("response", count);
    const sizes = await Promise.all([...loaded].map(async ([url, size]) => ({ url, size: await size })));
    const total = (type: string) =>
      sizes.filter(({ url }) => url.includes(type)).reduce((sum, { size }) => sum + size, 0);
    expect(total(".js")).toBeGreaterThan(0);
    expect(total(".js"), `scripts of ${path}`).toBeLessThanOrEqual(mostScript);
    expect(total(".css"), `styles of ${path}`).toBeLessThanOrEqual(mostStyle);
    const used = () => [...document.fonts].filter(({ status }) => status === "loaded").map(({ family }) => family);
    expect(await page.evaluate(used), `typefaces that ${path} uses`).toEqual(["latin"]);
  }
});

test("the search over everything keeps what is typed while it loads", async ({ page }) => {
  await enter(page, "/dashboard");
  await untilInteractive(page);
  let load = () => {};
  const loaded = new Promise<void>((resolve) => {
    load = resolve;
  });
  await page.route("**/_next/static/chunks/**", async (route) => {
    await loaded;
    await route.continue();
  });
  await page.keyboard.press("ControlOrMeta+K");
  await page.keyboard.type("web");
  load();
  // Typed on while the field is replaced.
  await page.keyboard.type("er und söhne, weinhandlung am alten markt");
  const field = page.getByRole("dialog").getByRole("combobox");
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("weber und söhne, weinhandlung am alten markt");
});
