// What users do with a payment request on its page: marking it as paid, and extending it.
import type { Route } from "playwright/test";
import { expect, test } from "../fixtures";
import { moreButton, openMore } from "./more-menu";
import { expectAccessible, watchForFaults } from "./page-checks";
import { ask, newMember, type Payment, pathOf, paymentOf } from "./requests";
import { enter, enterAt } from "./signing-in";

test.beforeEach(({ page }) => watchForFaults(page));

test("a payment request is marked as paid in two parts by keyboard", async ({ page, api, adminToken }) => {
  const member = await newMember(api, adminToken);
  const { payment_id: id } = await ask(api, member, { description: "Wedding cake", amount: 4000 });
  await enter(page, pathOf(id), member);
  // What is due is the amount above, so it is not said twice.
  const figures = page.getByRole("term").filter({ hasText: /^(Paid|Still due)$/ });
  await expect(figures).toHaveCount(0);
  await page.getByRole("button", { name: "Mark as paid" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Mark “Wedding cake” as paid" });
  const amount = dialog.getByLabel("Amount received");
  await expect(amount).toBeFocused();
  await expect(dialog.getByText("The request is then paid in full.")).toBeVisible();
  await expectAccessible(page);
  await amount.fill("50");
  await amount.press("Enter");
  await expect(dialog.getByRole("alert")).toContainText("Enter at most €40.00");
  await amount.fill("15");
  await expect(dialog.getByText("€25.00 stays due.")).toBeVisible();
  await dialog.getByLabel("Payment method").selectOption("Bank transfer");
  await dialog.getByLabel("Received on").fill("2026-01-05");
  await dialog.getByLabel("Note").fill("Deposit");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "Recorded €15.00." })).toBeVisible();
  expect(await paymentOf(api, member, id)).toMatchObject({ status: "partially_paid", amount_paid: 1500 });
  await expect(page.getByRole("button", { name: "Mark as paid" })).toBeFocused();
  await expect(figures).toHaveText(["Paid", "Still due"]);
  await page.keyboard.press("Enter");
  await expect(dialog.getByLabel("Payment method")).toHaveValue("");
  await expect(amount).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "Recorded €25.00." })).toBeVisible();
  expect(await paymentOf(api, member, id)).toMatchObject({ status: "paid", amount_paid: 4000 });
});

test("a payment request is extended to the end of a chosen day, and stays payable", async ({
  page,
  api,
  adminToken,
}) => {
  const member = await newMember(api, adminToken);
  const { payment_id: id } = await ask(api, member, { description: "Garden chairs" });
  await enter(page, pathOf(id), member);
  await openMore(page);
  await page.getByRole("button", { name: "Extend" }).click();
  const dialog = page.getByRole("dialog", { name: "Extend “Garden chairs”" });
  const day = dialog.getByLabel("Expires at the end of");
  const proposed = await day.inputValue();
  expect(Date.parse(proposed)).toBeGreaterThan(Date.now() + 55 * 86_400_000);
  await expectAccessible(page);
  await day.fill("2001-01-01");
  await dialog.getByRole("button", { name: "Extend request" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Choose a day after the present expiry");
  await day.fill(proposed);
  await dialog.getByRole("button", { name: "Extend request" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("status").filter({ hasText: "Extended “Garden chairs”." })).toBeVisible();
  await expect(moreButton(page)).toBeFocused();
  const { expires_at } = (await paymentOf(api, member, id)) as Payment & { expires_at: string };
  expect(Math.abs(Date.parse(expires_at) - Date.parse(proposed))).toBeLessThan(2 * 86_400_000);
});

test("on a phone, all actions but the first are behind a button, by keyboard too", async ({
  page,
  api,
  adminToken,
}) => {
  const phone = { width: 375, height: 720 };
  await page.setViewportSize(phone);
  const member = await newMember(api, adminToken);
  const customer = { name: "Grace Hopper", email: "grace@example.com" };
  const { payment_id: id } = await ask(api, member, { description: "Phone call", customer });
  await enter(page, pathOf(id), member);
  const more = moreButton(page);
  const marks = page.getByRole("button", { name: "Mark as paid" });
  await expect(more).toHaveAttribute("aria-expanded", "false");
  await expect(marks).toBeHidden();
  const heading = page.getByRole("heading", { name: "Phone call" });
  const before = await heading.boundingBox();
  await enterAt(page, more);
  await expect(marks).toBeVisible();
  expect(await heading.boundingBox()).toEqual(before);
  await expectAccessible(page);
  await page.setViewportSize(phone);
  await page.keyboard.press("Escape");
  await expect(marks).toBeHidden();
  await expect(more).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(marks).toBeFocused();
  const cancels = page.getByRole("button", { name: "Cancel request" });
  await page.keyboard.press("End");
  await expect(cancels).toBeFocused();
  await page.keyboard.press("Home");
  await expect(marks).toBeFocused();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Mark “Phone call” as paid" });
  await expect(dialog.getByLabel("Amount received")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(marks).toBeHidden();
  await expect(more).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(marks).toBeVisible();
  await page.mouse.click(20, 600);
  await expect(marks).toBeHidden();
});

test.describe("by touch", () => {
  test.use({ viewport: { width: 375, height: 720 }, hasTouch: true });

  test("a tap beside the open menu, or on its button, only closes it", async ({ page, api, adminToken }) => {
    const member = await newMember(api, adminToken);
    const { payment_id: id } = await ask(api, member, { description: "Touched tiles" });
    await enter(page, pathOf(id), member);
    const more = moreButton(page);
    const back = page.getByRole("main").getByRole("link").first();
    const copies = page.getByRole("button", { name: "Duplicate" });
    for (const beneath of [more, back]) {
      await more.tap();
      await expect(copies).toBeVisible();
      const { x = 0, y = 0, width = 0, height = 0 } = (await beneath.boundingBox()) ?? {};
      await page.touchscreen.tap(x + width / 2, y + height / 2);
      await expect(copies).toBeHidden();
      await expect(more).toHaveAttribute("aria-expanded", "false");
    }
    // Whatever the tap pressed would by now have left the page.
    await more.tap();
    await expect(copies).toBeVisible();
    expect(new URL(page.url()).pathname).toBe(pathOf(id));
  });

  test("a tap on an action of the open menu reaches it, not what is behind the menu", async ({
    page,
    api,
    adminToken,
  }) => {
    const member = await newMember(api, adminToken);
    const { payment_id: id } = await ask(api, member, { description: "Touched tiles" });
    await enter(page, pathOf(id), member);
    await moreButton(page).tap();
    const cancels = page.getByRole("button", { name: "Cancel request" });
    const { x = 0, y = 0, width = 0, height = 0 } = (await cancels.boundingBox()) ?? {};
    await page.touchscreen.tap(x + width / 2, y + height / 2);
    await expect(page.getByRole("dialog", { name: /^Cancel/ })).toBeVisible();
    expect(new URL(page.url()).pathname).toBe(pathOf(id));
  });
});

test("the menu is below its button wherever that is, and a copy shows on it that it is being made", async ({
  page,
  api,
  adminToken,
}) => {
  const member = await newMember(api, adminToken);
  const customer = { name: "Grace Hopper", email: "grace@example.com" };
  const { payment_id: id } = await ask(api, member, { description: "Wrapped buttons", customer });
  await enter(page, pathOf(id), member);
  const more = moreButton(page);
  const copies = page.getByRole("button", { name: "Duplicate" });
  for (const width of [1280, 768, 500, 485]) {
    await page.setViewportSize({ width, height: 720 });
    await openMore(page);
    const [button, menu] = [await more.boundingBox(), await copies.locator("..").boundingBox()];
    if (!button || !menu) throw new Error("The menu is not in sight.");
    expect(menu.y - button.y - button.height).toBeCloseTo(8, 0);
    expect(menu.x).toBeGreaterThanOrEqual(0);
    expect(menu.x + menu.width).toBeLessThanOrEqual(width);
    expect(menu.x).toBeLessThan(button.x + button.width);
    expect(menu.x + menu.width).toBeGreaterThan(button.x);
    await page.keyboard.press("Escape");
  }
  const held: Route[] = [];
  await page.route("**/api/trpc/payments.duplicate*", (route) => void held.push(route));
  await openMore(page);
  await copies.click();
  await expect(more).toHaveAttribute("data-loading");
  await held[0]?.continue();
  await expect(page.getByRole("status").filter({ hasText: "draft" })).toBeVisible();
});

test("on a wide page three actions are in sight, and the arrow keys move through the others", async ({
  page,
  api,
  adminToken,
}) => {
  const member = await newMember(api, adminToken);
  const customer = { name: "Grace Hopper", email: "grace@example.com" };
  const { payment_id: id } = await ask(api, member, { description: "Six lamps", customer });
  await enter(page, pathOf(id), member);
  const actions = page.locator("[data-record] [class*=actions]").locator(":is(a, button):visible");
  const inSight = ["Send", "Mark as paid", "Edit"];
  await expect(actions).toHaveText([...inSight, "More"]);
  const more = moreButton(page);
  await enterAt(page, more);
  const inMenu = ["Send a reminder", "View as customer", "Extend", "Duplicate", "Cancel request"];
  await expect(actions).toHaveText([...inSight, ...inMenu, "More"]);
  await expectAccessible(page);
  const focused = page.locator(":focus");
  for (const name of inMenu) {
    await expect(focused).toHaveText(name);
    await page.keyboard.press("ArrowDown");
  }
  await expect(focused).toHaveText("Send a reminder");
  await page.keyboard.press("Shift+Tab");
  await expect(focused).toHaveText("Edit");
  await expect(actions).toHaveText([...inSight, "More"]);
  for (const width of [1280, 375]) {
    await page.setViewportSize({ width, height: 720 });
    for (const [key, name] of [
      ["ArrowUp", "Cancel request"],
      ["ArrowDown", width === 375 ? "Mark as paid" : "Send a reminder"],
    ] as const) {
      await more.press(key);
      await expect(focused).toHaveText(name);
      await page.keyboard.press("Escape");
      await expect(more).toBeFocused();
    }
  }
});

test("the page of a new payment request has one primary action, which copies its link", async ({
  page,
  api,
  adminToken,
}) => {
  const member = await newMember(api, adminToken);
  const customer = { name: "Grace Hopper", email: "grace@example.com" };
  const { payment_id: id } = await ask(api, member, { description: "Fresh figs", customer });
  await enter(page, pathOf(id), member);
  const groundsOf = () =>
    page
      .getByRole("main")
      .locator(":is(button, a):visible")
      .evaluateAll((all) => all.map((one) => [one.textContent, getComputedStyle(one).backgroundColor] as const));
  const first = page.getByRole("button", { name: "Send", exact: true });
  const primary = await first.evaluate((element) => getComputedStyle(element).backgroundColor);
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 375, height: 720 },
  ]) {
    await page.setViewportSize(viewport);
    await page.goto(`${pathOf(id)}?created`);
    await expect(page.getByRole("button", { name: /^Copy/ }).first()).toBeFocused();
    const primaries = (await groundsOf()).filter(([, ground]) => ground === primary);
    expect(primaries.map(([text]) => text)).toEqual([expect.stringMatching(/^Copy/)]);
  }
});
