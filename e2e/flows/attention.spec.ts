// What needs an admin's attention: a payment request that was overpaid, and one click that refunds exactly the surplus.
import Database from "better-sqlite3";
import { newMember, request } from "../contract/people";
import { expect, test } from "../fixtures";
import { payByForm } from "../payer";
import { ADMIN } from "../server";
import { expectAccessible, watchForFaults } from "./page-checks";

test("an overpaid request is shown to admins until its surplus is refunded", async ({ page, api, server }) => {
  watchForFaults(page);
  const person = await newMember(api);
  const { payment_id, payment_url } = await request(api, person, 18_500, { description: "Two seats" });
  await payByForm(payment_url);
  // No provider that keeps its promises charges twice, so the amount is what is changed here.
  const database = new Database(server.databaseUrl.replace("file:", ""));
  database
    .prepare("update payments set amount = 12500, amount_overpaid = 6000, version = version + 1 where id = ?")
    .run(payment_id);
  database.close();

  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(ADMIN.email);
  await page.getByLabel("Password", { exact: true }).fill(ADMIN.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  const attention = page.getByRole("region", { name: "Needs attention" });
  await expect(attention).toContainText("Two seats was overpaid by €60.00.");
  await expectAccessible(page);

  await attention.getByRole("button", { name: "Refund €60.00" }).click();
  const dialog = page.getByRole("dialog", { name: "Refund the surplus of €60.00?" });
  await expect(dialog).toContainText("gets exactly that back");
  await dialog.getByRole("button", { name: "Refund €60.00" }).click();
  await expect(attention).toBeHidden();
  const payment = await api("GET", `/v1/payments/${payment_id}`, { token: person.token });
  expect(payment.body).toMatchObject({ amount_paid: 18_500, amount_refunded: 6_000, amount_overpaid: 0 });
});
