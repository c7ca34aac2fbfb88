// Failed jobs in the dashboard: announced on every page, listed, and all tried again at once.
import { newMember, request } from "../contract/people";
import { expect, test } from "../fixtures";
import { expectAccessible, watchForFaults } from "./page-checks";
import { enter, withDatabase } from "./signing-in";

// They show every admin what needs attention.
test.use({ apart: "jobs" });

test("all failed jobs are tried again at once, and the page says so", async ({ page, api, server }) => {
  watchForFaults(page);
  const person = await newMember(api);
  const { payment_id } = await request(api, person, 1250, { description: "Ticket" });
  withDatabase(server.databaseUrl, (database) => {
    const job = database.prepare(
      "insert into jobs (id, kind, key, organization_id, object_id, status, run_at, failures, last_error, created_at, updated_at) " +
        "values (?, 'payments.lookup', ?, ?, ?, 'dead', ?, 8, 'The provider did not answer.', ?, ?)",
    );
    const at = Date.now();
    for (const id of ["job_1", "job_2"]) job.run(id, `test:${id}`, person.organizationId, payment_id, at, at, at);
  });
  await enter(page, "/dashboard/accounts");
  await expect(page.getByRole("region", { name: "Needs attention" })).toContainText("2 jobs have failed for good.");
  await page.getByRole("link", { name: "See what failed" }).click();
  await expect(page.getByRole("row")).toHaveCount(3);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Retry all" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Nothing has failed" })).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "2 jobs are tried again now." })).toBeFocused();
  await expect(page.getByRole("button", { name: "Retry all" })).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Needs attention" })).toBeHidden();
  await expectAccessible(page);
});
