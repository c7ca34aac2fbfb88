// Pickers whose options the server finds: they offer only what matches the text in the field, however fast it is typed
// and in whatever order the answers arrive.
import { expect as baseExpect, type Page, type Route } from "playwright/test";
import type { Api } from "../api";
import { memberPassword, newMember, type Person } from "../contract/people";
import { expect, test } from "../fixtures";
import { expectAccessible, watchForFaults } from "./page-checks";
import { enter } from "./signing-in";

test.beforeEach(({ page }) => watchForFaults(page));

async function memberWith(api: Api, ...names: string[]): Promise<Person> {
  const person = await newMember(api);
  for (const name of names) await api("POST", "/v1/customers", { token: person.token, body: { name } });
  return person;
}

const as = ({ email }: Person) => ({ email, password: memberPassword });
const options = (page: Page) => page.getByRole("listbox", { name: "Matches" }).getByRole("option");
const nameField = (page: Page) => page.getByLabel("Customer name");

/** Holds the answers to searches with a text, by that text, until they are released. */
async function heldSearches(page: Page) {
  const held = new Map<string, Route>();
  await page.route(/\/api\/trpc\/(customers|accounts)\.list/, (route) => {
    const q: unknown = JSON.parse(new URL(route.request().url()).searchParams.get("input") ?? "{}").q;
    if (typeof q !== "string") return route.continue();
    held.set(q, route);
  });
  return {
    asked: (q: string) => baseExpect.poll(() => held.has(q)).toBe(true),
    /** Lets the answer through. One that nobody waits for any more has been aborted. */
    release: (q: string) =>
      held
        .get(q)
        ?.continue()
        .catch(() => {}),
  };
}

const newRequest = "/dashboard/payment-requests/new";

for (const delay of [0, 60, 250]) {
  test(`typed at ${delay} ms a key, before any answer, the arrow and Enter choose what matches`, async ({
    page,
    api,
  }) => {
    const person = await memberWith(api, "Hotel Alsterblick", "Hotel Elbe GmbH");
    await enter(page, newRequest, as(person));
    const searches = await heldSearches(page);
    await nameField(page).click();
    await expect(options(page)).toHaveText(["Hotel Elbe GmbH", "Hotel Alsterblick"]);
    await page.keyboard.type("Hotel Als", { delay });
    await expect(options(page)).toHaveText(["Hotel Alsterblick"]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect(nameField(page)).toHaveValue("Hotel Alsterblick");
    await expect(nameField(page)).toHaveAccessibleDescription("One of your customers");
    // The answer to what was typed before changes nothing any more.
    await searches.release("Hotel Als");
    await expect(nameField(page)).toHaveValue("Hotel Alsterblick");
  });
}

test("the arrow and Enter wait for the first match, and late answers to earlier texts offer nothing", async ({
  page,
  api,
}) => {
  const person = await memberWith(api, "Kontor Elbe", "Hotel Elbe GmbH");
  const searches = await heldSearches(page);
  await page.route(/customers\.list.*%22account_id%22(?!.*%22q%22)/, () => {});
  await enter(page, newRequest, as(person));
  await nameField(page).pressSequentially("Hotel");
  await searches.asked("Hotel");
  await nameField(page).fill("Kontor");
  await searches.asked("Kontor");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await searches.release("Hotel");
  await expect(nameField(page)).toHaveValue("Kontor");
  await expect(options(page)).toHaveCount(0);
  await searches.release("Kontor");
  await expect(nameField(page)).toHaveValue("Kontor Elbe");
  await expect(nameField(page)).toHaveAccessibleDescription("One of your customers");
});

test("a press on a row that is replaced before the button is released chooses no other", async ({ page, api }) => {
  const person = await memberWith(api, "Hotel Alsterblick", "Hotel Elbe GmbH");
  await enter(page, newRequest, as(person));
  const searches = await heldSearches(page);
  await nameField(page).click();
  const first = await options(page).first().boundingBox();
  if (!first) throw new Error("No option is in sight.");
  await page.mouse.move(first.x + 20, first.y + first.height / 2);
  await page.mouse.down();
  await page.keyboard.type("Hotel Als");
  await expect(options(page)).toHaveText(["Hotel Alsterblick"]);
  await page.mouse.up();
  await expect(nameField(page)).toHaveValue("Hotel Als");
  await expect(nameField(page)).not.toHaveAccessibleDescription("One of your customers");
  await searches.release("Hotel Als");
  await options(page).first().click();
  await expect(nameField(page)).toHaveValue("Hotel Alsterblick");
});

test("Enter in a list that must be chosen from waits for the answer, and takes its first match", async ({
  page,
  api,
  adminToken,
}) => {
  const mark = crypto.randomUUID().slice(0, 8);
  for (const account_name of [`Hotel Alsterblick ${mark}`, `Hotel Elbe ${mark}`]) {
    await api("POST", "/v1/accounts", { token: adminToken, body: { account_name, email: "a@example.com" } });
  }
  await enter(page, "/dashboard/transactions/new?type=transfer");
  const searches = await heldSearches(page);
  const to = page.getByRole("combobox", { name: "To", exact: true });
  await to.click();
  await to.fill(`Hotel Als`);
  await page.keyboard.press("Enter");
  await searches.asked("Hotel Als");
  await to.fill(`Hotel Alsterblick ${mark}`);
  await page.keyboard.press("Enter");
  await searches.release("Hotel Als");
  await searches.asked(`Hotel Alsterblick ${mark}`);
  await searches.release(`Hotel Alsterblick ${mark}`);
  await expect(to).toHaveValue(`Hotel Alsterblick ${mark}`);
  await expect(options(page)).toHaveCount(0);
});

test("a country is chosen by its name, and never by the letters that its name begins with", async ({ page, api }) => {
  const person = await newMember(api);
  await enter(page, "/dashboard/customers/new", as(person));
  const country = page.getByRole("combobox", { name: "Country" });
  await page.getByLabel("Name", { exact: true }).fill("Kontor Elbe");
  await country.click();
  await page.keyboard.type("Germany");
  await expect(options(page)).toHaveText(["GermanyDE"]);
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(country).toHaveValue("Germany");
  await expect(country).toBeFocused();

  await country.fill("Ge");
  await page.keyboard.press("Tab");
  await expect(country).toHaveAccessibleDescription("Choose one from the list.");
  await page.getByRole("button", { name: "Create customer" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Choose a country from the list." })).toBeVisible();
  await expectAccessible(page);

  // Leaving the field takes a whole name.
  await country.fill("Ireland");
  await page.keyboard.press("Tab");
  await expect(country).toHaveValue("Ireland");
  await country.fill("");
  await page.keyboard.press("Tab");
  await expect(country).toHaveValue("");
  await country.fill("österr");
  await expect(options(page)).toHaveCount(0);
  await country.fill("austria");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Create customer" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Kontor Elbe" })).toBeVisible();
  await expect(page.getByText("Austria")).toBeVisible();
});
