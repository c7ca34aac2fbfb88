// Lists on phones: each row has two lines and fits, what else it has is behind a button, and the first action of a
// record's page is the primary one.
import type { Locator, Page } from "playwright/test";
import { newEmail, newMember, receive } from "../contract/people";
import { expect, test } from "../fixtures";
import { payByForm } from "../payer";
import { failJobs } from "../trouble";
import { moreButton } from "./more-menu";
import { expectAccessible, watchForFaults } from "./page-checks";
import { sent } from "./requests";
import { enter, enterAt } from "./signing-in";

// The failed job would show up for every admin of a shared server.
test.use({ apart: "phone-rows" });
test.beforeEach(({ page }) => watchForFaults(page));

const phone = { width: 375, height: 740 };
/** Two lines, the taller of which has a button, and the padding. */
const tallest = 92;
/** The same with up to two lines more, below a name. */
const tallestBelow = 128;
const hasBelow = ["subscriptions", "transactions", "customers"];

/** The lists, each with a text of the first and of the second line of a row. */
const lists: Record<string, [title: string, second: RegExp]> = {
  "payment-requests": ["Sourdough", /Pending/],
  invoices: ["Edsger Dijkstra", /Pending/],
  subscriptions: ["Edsger Dijkstra", /Active.*Next charge/s],
  transactions: ["Edsger Dijkstra", /Payment.*Succeeded|Succeeded.*Payment/s],
  customers: ["Edsger Dijkstra", /KD-42/],
  accounts: ["Corner shop", /Business/],
  users: ["Katherine Johnson", /Member/],
  "users/invitations": ["Hedy Lamarr", /Viewer/],
  "api-keys": ["Till", /Whole organization/],
  mails: ["dijkstra@example.com", /Sourdough|Harbour|requests|\w/],
  jobs: ["", /The provider did not answer/],
  "audit-log": ["Sign in", /admin/i],
  profile: ["", /127\.0\.0\.1/],
};

test.beforeAll(async ({ api, adminToken: token, server }) => {
  const person = await newMember(api, {
    name: "Katherine Johnson",
    account: { account_type: "business", account_name: "Corner shop" },
  });
  const customer = { name: "Edsger Dijkstra", email: "dijkstra@example.com" };
  await sent(api, person.token, "/v1/customers", { ...customer, account_id: person.accountId, reference: "KD-42" });
  const ask = (more: object) =>
    sent<{ payment_id: string; payment_url: string }>(api, person.token, "/v1/payments", {
      ...{ account_id: person.accountId, amount: 900, currency: "EUR", customer, ...more },
    });
  const terms = { interval: "month", interval_count: 1 };
  const begun = await ask({ type: "subscription", description: "Bread box", subscription: terms });
  await payByForm(begun.payment_url);
  const due_at = new Date(Date.now() + 10 * 86_400_000).toISOString();
  await ask({ type: "invoice", description: "Catering", due_at });
  const asked = await ask({ type: "product", description: "Sourdough" });
  await sent(api, token, `/v1/payments/${asked.payment_id}/send`, {});
  await receive(api, person, 1_250, { description: "A wedding cake with three tiers and a very long description" });
  const invited = { email: newEmail(), role: "viewer", name: "Hedy Lamarr" };
  await sent(api, token, "/v1/invitations", invited);
  await sent(api, token, "/v1/api_keys", { name: "Till", scopes: ["payments:read"] });
  failJobs(server, asked.payment_id, 1);
});

async function expectTwoLines(page: Page, path: string, second: RegExp): Promise<void> {
  const rows = page.locator("[data-row]");
  await expect(rows.first(), path).toBeVisible();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow, path).toBeLessThanOrEqual(0);
  await expect(rows.filter({ hasText: second }).first(), path).toBeVisible();
  for (const row of await rows.all()) {
    const heights = await row.evaluate((element) => {
      const cells = [...element.querySelectorAll("td:not([class*=select])")].map((cell) =>
        cell.getBoundingClientRect(),
      );
      const middles = cells.filter(({ height }) => height > 0).map(({ top, height }) => top + height / 2);
      return { row: element.getBoundingClientRect().height, lines: middles.toSorted((a, b) => a - b) };
    });
    const most = hasBelow.some((name) => path.endsWith(name)) ? tallestBelow : tallest;
    expect(heights.row, path).toBeLessThan(most);
    const [first = 0, last = 0] = [heights.lines.at(0), heights.lines.at(-1)];
    expect(last - first, `${path} has a second line`).toBeGreaterThan(16);
  }
}

for (const [name, [title, second]] of Object.entries(lists)) {
  test(`rows of ${name} have two lines`, async ({ page }) => {
    const path = `/dashboard/${name}`;
    await enter(page, path);
    await page.setViewportSize(phone);
    await expect(page.locator("[data-row]").filter({ hasText: title }).first()).toBeVisible();
    await expectTwoLines(page, path, second);
  });
}

test("subscriptions say what their date is, and their amounts end at one line", async ({ page }) => {
  await enter(page, "/dashboard/subscriptions");
  await expect(page.getByRole("cell", { name: /^Next charge/ })).toHaveCount(0);
  const ends = () =>
    page
      .locator("[data-row] [data-place=amount] [class*=money]")
      .evaluateAll((all) => [...new Set(all.map((one) => Math.round(one.getBoundingClientRect().right)))]);
  expect(await ends()).toHaveLength(1);
  for (const width of [375, 320]) {
    await page.setViewportSize({ ...phone, width });
    await expect(page.getByText(/^Next charge \w/).first()).toBeVisible();
    expect(await ends()).toHaveLength(1);
  }
});

const hasRoomForHint = (box: Locator): Promise<boolean> =>
  box.evaluate((element: HTMLInputElement) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(element);
    const context = document.createElement("canvas").getContext("2d");
    if (!context) throw new Error("The browser draws nothing.");
    context.font = font;
    const { width } = context.measureText(element.placeholder);
    return width > 0 && width < element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
  });

test("hints of search boxes are not cut on phones, and whole where there is room", async ({ page }) => {
  await enter(page, "/dashboard");
  for (const name of Object.keys(lists).filter(
    (each) => !["users/invitations", "api-keys", "jobs", "profile"].includes(each),
  )) {
    await page.goto(`/dashboard/${name}`);
    const box = page.getByRole("searchbox").first();
    for (const width of [1280, 375, 320]) {
      await page.setViewportSize({ ...phone, width });
      const label = (await box.getAttribute("aria-label")) ?? "";
      await expect(box).toHaveAttribute("placeholder", width < 768 ? "Search" : label);
      expect([name, width, await hasRoomForHint(box)]).toEqual([name, width, true]);
    }
  }
  await page.keyboard.press("Control+k");
  expect(await hasRoomForHint(page.getByRole("combobox", { name: "Search everything" }))).toBe(true);
});

test("rows of invoices name the customer and the number without cutting either", async ({ page }) => {
  await enter(page, "/dashboard/invoices");
  const row = page.locator("[data-row]").filter({ hasText: "Edsger Dijkstra" }).first();
  for (const width of [375, 320]) {
    await page.setViewportSize({ ...phone, width });
    for (const part of [row.getByText("Edsger Dijkstra"), row.getByRole("link").first()]) {
      await expect(part).toBeVisible();
      expect(await part.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0);
    }
  }
});

test("a saved view shows its rows in two lines too", async ({ page }) => {
  await enter(page, "/dashboard/transactions?status=succeeded&columns=type,amount,status,id");
  await page.getByRole("button", { name: "Save view" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Received by phone");
  await dialog.getByRole("button", { name: /^Save/ }).click();
  await expect(page.getByText("Received by phone").first()).toBeVisible();
  await page.setViewportSize(phone);
  await expectTwoLines(page, "view", /Succeeded/);
});

test("what does not fit in two lines is opened, and closed again, by keyboard", async ({ page }) => {
  await enter(page, "/dashboard/audit-log");
  await page.setViewportSize(phone);
  const row = page.locator("[data-row]").filter({ hasText: "Create an API key" }).first();
  const address = row.getByText("127.0.0.1");
  await expect(address).toBeHidden();
  const more = row.getByRole("button", { name: /^Details Create an API key/ });
  await enterAt(page, more);
  await expect(address).toBeVisible();
  await expect(more).toHaveAttribute("aria-expanded", "true");
  await expectAccessible(page);
  await expect(more).toBeHidden();
  await page.setViewportSize(phone);
  await more.focus();
  await page.keyboard.press("Enter");
  await expect(address).toBeHidden();
});

test("the first action of a record's page is the primary one, and the others are behind a button", async ({
  page,
  api,
  adminToken,
}) => {
  const [{ data: payments }, { data: customers }, { data: accounts }, { data: subscriptions }] = (await Promise.all(
    ["payments?q=Sourdough", "customers?q=Dijkstra", "auth/accounts?q=Corner", "subscriptions?limit=1"].map(
      async (path) => (await api<{ data: Record<string, string>[] }>("GET", `/v1/${path}`, { token: adminToken })).body,
    ),
  )) as [List, List, List, List];
  await enter(page, "/dashboard");
  await page.setViewportSize(phone);
  for (const [path, first, other] of [
    [`payment-requests/${payments[0]?.payment_id}`, "Send", "Mark as paid"],
    [`customers/${customers[0]?.customer_id}`, "New payment request", "Erase"],
    [`accounts/${accounts[0]?.account_id}`, "Transfer", "Close account"],
    [`subscriptions/${subscriptions[0]?.subscription_id}`, "Change amount", "Cancel subscription"],
  ] as const) {
    await page.goto(`/dashboard/${path}`);
    const actions = page.locator("[data-record] [class*=actions]");
    const primary = actions.locator(":is(a, button):visible").first();
    await expect(primary, path).toContainText(first);
    const ground = (locator: typeof primary) =>
      locator.evaluate((element) => getComputedStyle(element).backgroundColor);
    const more = moreButton(page);
    expect(await ground(primary), path).not.toBe(await ground(more));
    const last = actions.getByRole("button", { name: other });
    await expect(last).toBeHidden();
    await more.click();
    await expect(last).toBeVisible();
  }
});

const longName = "Staatliche Genossenschaft der Konditoreien und Bäckereien am Großen Hafen eG";

test("a long name is cut, and what it is for is below it, readable in full", async ({ page, api, adminToken }) => {
  const customer = { name: longName, email: "long-name@example.com" };
  const purpose = "Wedding cake, second part";
  const paid = { type: "payment", amount: 123_450, currency: "EUR", description: purpose, customer };
  await sent(api, adminToken, "/v1/transactions", paid);
  const asked = await sent<{ payment_url: string }>(api, adminToken, "/v1/payments", {
    ...{ type: "subscription", amount: 2_900, currency: "EUR", description: purpose, customer },
    subscription: { interval: "week", interval_count: 2 },
  });
  await payByForm(asked.payment_url);
  await enter(page, "/dashboard");
  for (const [list, below] of [
    ["transactions?q=second", purpose],
    ["subscriptions?q=second", purpose],
    ["customers?q=Genossenschaft", customer.email],
  ] as const) {
    for (const width of [375, 320]) {
      await page.setViewportSize({ ...phone, width });
      await page.goto(`/dashboard/${list}`);
      const row = page.locator("[data-row]").first();
      const [name, what] = [row.getByText(longName, { exact: true }).last(), row.getByText(below).last()];
      await expect(what).toBeVisible();
      const lineOf = (part: typeof what) =>
        part.evaluate((element) => {
          const { top, bottom } = element.getBoundingClientRect();
          const isCut = element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight + 1;
          return { top, bottom, isCut };
        });
      const [first, second] = [await lineOf(name), await lineOf(what)];
      expect([list, width, first.isCut, second.isCut]).toEqual([list, width, true, false]);
      expect(second.top).toBeGreaterThanOrEqual(first.bottom - 1);
    }
  }
});

interface List {
  data: Record<string, string>[];
}
