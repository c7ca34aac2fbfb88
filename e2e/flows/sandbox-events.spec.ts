// An admin simulates an event of the sandbox provider on a payment request's page, and repeats its events in the settings.
import { expect, test } from "../fixtures";
import { goodCard, payByForm } from "../payer";
import { openMore } from "./more-menu";
import { expectAccessible, watchForFaults } from "./page-checks";
import { ask, newMember, pathOf, paymentOf } from "./requests";
import { enter } from "./signing-in";

test.beforeEach(({ page }) => watchForFaults(page));

test("an authorization is captured by the provider, and repeated events change nothing", async ({
  page,
  api,
  adminToken,
}) => {
  const member = await newMember(api, adminToken);
  const given = { description: "Simulated cake", capture_method: "manual" };
  const { payment_id: id, payment_url } = await ask(api, member, given);
  await enter(page, pathOf(id));
  await expect(page.getByRole("heading", { name: "Simulated cake", level: 1 })).toBeVisible();
  await openMore(page);
  await expect(page.getByRole("button", { name: "Cancel request" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Simulate" })).toHaveCount(0);
  await payByForm(payment_url, goodCard);
  await page.reload();
  await openMore(page);
  await page.getByRole("button", { name: "Simulate" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Simulate an event for “Simulated cake”" });
  await expect(dialog.getByRole("radio", { name: "Capture" })).toBeChecked();
  await expect(dialog.getByRole("radio")).toHaveCount(1);
  await expect(dialog.getByText("The provider takes the money.")).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "The event has been handled." })).toBeVisible();
  await expect(dialog).toBeHidden();
  expect(await paymentOf(api, member, id)).toMatchObject({ status: "paid", amount_paid: 30_000 });
  await page.goto("/dashboard/settings/sandbox");
  await page.getByLabel("Times that each event is repeated").selectOption("10");
  await page.getByRole("checkbox", { name: "In random order" }).press(" ");
  await page.getByRole("button", { name: "Repeat events" }).press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "Nothing changed." })).toBeVisible();
  await expectAccessible(page);
});

test("members simulate nothing", async ({ page, api, adminToken }) => {
  const member = await newMember(api, adminToken);
  const { payment_id: id, payment_url } = await ask(api, member, { description: "Own cake", capture_method: "manual" });
  await payByForm(payment_url, goodCard);
  await enter(page, pathOf(id), member);
  await expect(page.getByRole("button", { name: "Capture" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Simulate" })).toHaveCount(0);
});
