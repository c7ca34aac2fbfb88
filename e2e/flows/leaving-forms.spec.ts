// Leaving a page whose form is half filled.
import { newMember, memberPassword as password } from "../contract/people";
import { expect, test } from "../fixtures";
import { watchForFaults } from "./page-checks";
import { enter, untilInteractive } from "./signing-in";

const listPath = "/dashboard/payment-requests";

test.beforeEach(({ page }) => watchForFaults(page));

test("a half-filled form asks once before it is left, by a link, a shortcut, Back or the browser", async ({
  page,
  api,
}) => {
  const asked: string[] = [];
  let answer = false;
  page.on("dialog", (question) => {
    asked.push(question.type());
    return answer ? question.accept() : question.dismiss();
  });
  await enter(page, listPath, { ...(await newMember(api)), password });
  await page.getByRole("link", { name: "New payment request" }).first().click();
  await page.waitForURL(`**${listPath}/new`);
  const home = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Home" });
  await page.getByLabel("Description").fill("Wedding cake");
  await home.click();
  await page.getByRole("heading", { level: 1 }).click();
  await page.getByLabel("Description").blur();
  await page.keyboard.press("g");
  await page.keyboard.press("t");
  await page.evaluate(() => history.back());
  await expect.poll(() => asked).toEqual(["confirm", "confirm", "confirm"]);
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => asked.at(-1)).toBe("beforeunload");
  await expect(page.getByLabel("Description")).toHaveValue("Wedding cake");
  expect(page.url()).toContain(`${listPath}/new`);

  // Without what was typed there is nothing to lose.
  asked.length = 0;
  await page.getByLabel("Description").fill("");
  await home.click();
  await page.waitForURL("**/dashboard");
  expect(asked).toEqual([]);
  await page.goto("/dashboard/transactions/new?type=transfer");
  await untilInteractive(page);
  await page.getByLabel("Amount").fill("12");
  answer = true;
  await home.click();
  await page.waitForURL("**/dashboard");
  expect(asked).toEqual(["confirm"]);
});
