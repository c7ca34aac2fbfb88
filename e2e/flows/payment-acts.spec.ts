// What users do with a payment request on its page: marking it as paid, and extending it.
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
  await page.keyboard.press("Enter");
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
});
