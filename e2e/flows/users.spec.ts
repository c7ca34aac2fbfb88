// Users in the dashboard: roles, sessions, removal, the reader's own profile, and what each role sees of it.
import { type ApiError, signIn, type TokenPair } from "../api";
import { memberPassword, newMember } from "../contract/people";
import { expect, test } from "../fixtures";
import { firstAdmin } from "../server";
import { expectAccessible, watchForFaults } from "./page-checks";
import { enter, enterAt, tabTo, untilInteractive } from "./signing-in";

// These tests give the organization further users and assign accounts, which other tests would see.
test.use({ apart: "users" });

const listPath = "/dashboard/users";

test.beforeEach(({ page }) => watchForFaults(page));

test("an admin finds a user, changes the role and ends sessions by keyboard alone", async ({ page, api }) => {
  test.slow(true, "Every page is checked for accessibility at three widths in both schemes.");
  const person = await newMember(api);
  await enter(page, listPath);
  await expectAccessible(page);
  await page.goto(`${listPath}?q=nobody`);
  await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();
  await expectAccessible(page);
  await enterAt(page, page.getByRole("main").getByRole("link", { name: "Clear all" }).last());
  await page.waitForURL(`**${listPath}`);
  await page.getByRole("searchbox").focus();
  await page.keyboard.type(person.email);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/dashboard/users?q=*");
  await expect(page.getByRole("row").filter({ hasText: person.email })).toContainText("Member");
  await enterAt(page, page.getByRole("row").filter({ hasText: person.email }).getByRole("link"));
  await expect(page.getByRole("heading", { level: 1, name: person.email })).toBeVisible();
  await expectAccessible(page);

  await enterAt(page, page.getByRole("button", { name: "Change role" }));
  const dialog = page.getByRole("dialog", { name: /^Change the role of/ });
  await tabTo(page, dialog.getByLabel("Role"));
  await page.keyboard.press("ArrowDown");
  await expect(dialog.getByLabel("Role")).toHaveValue("viewer");
  await expect(dialog).toContainText(
    "Sees the whole organization, except e-mails to users, and changes nothing in it.",
  );
  await expectAccessible(page);
  await enterAt(page, dialog.getByRole("button", { name: "Change role" }));
  await expect(page.getByText(`${person.email} is now: Viewer.`)).toBeVisible();
  const reply = await api("GET", "/v1/users", { token: person.token });
  expect(reply.status).toBe(200);

  await enterAt(page, page.getByRole("button", { name: "End all" }));
  const question = page.getByRole("dialog", { name: `End all sessions of ${person.email}?` });
  await expect(question.getByRole("button", { name: "Cancel" })).toBeFocused();
  await enterAt(page, question.getByRole("button", { name: "End all" }));
  await expect(page.getByText("Ended all sessions.")).toBeVisible();
  await expect(page.getByText("Not signed in anywhere.")).toBeVisible();
  expect((await api("GET", "/v1/users", { token: person.token })).status).toBe(401);
});

test("an admin removes a user by keyboard alone and gives the account to somebody else", async ({
  page,
  api,
  adminToken,
}) => {
  test.slow(true, "Every page is checked for accessibility at three widths in both schemes.");
  // Eighty characters, and written from right to left.
  const name = "عبد الرحمن بن محمد بن عبد الله بن أحمد بن إبراهيم بن سليمان الخطيب المقدسي الدمشقي".slice(0, 80);
  const [leaver, heir] = [await newMember(api, { name }), await newMember(api)];
  await enter(page, `${listPath}/${leaver.userId}`);
  await enterAt(page, page.getByRole("button", { name: "Remove user" }));
  const dialog = page.getByRole("dialog", { name: `Remove ${name}?` });
  await expect(dialog).toContainText("1 session, at once");
  await expect(dialog).toContainText("Links e-mailed to the user");
  await expect(dialog).not.toContainText(/Second factors|Invitations/);
  await expect(dialog).toContainText("Accounts without an owner");
  await expectAccessible(page);

  await expect(dialog.getByLabel(`Type ${name} to confirm`)).toBeFocused();
  await page.keyboard.insertText(name);
  const owner = dialog.getByRole("combobox", { name: "New owner" });
  await tabTo(page, owner);
  await page.keyboard.type("nobody@example.com");
  await expect(dialog.getByRole("status").filter({ hasText: "No active user matches." })).toBeVisible();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type(heir.email);
  await expect(dialog.getByRole("option")).toHaveText([heir.email]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("option")).toHaveCount(0);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: `Removed ${name}.` })).toBeFocused();
  await expect(page.getByRole("heading", { level: 1, name: "Removed user" })).toBeVisible();
  await expectAccessible(page);
  const { body } = await api<{ owner_user_id: string }>("GET", `/v1/accounts/${leaver.accountId}`, {
    token: adminToken,
  });
  expect(body.owner_user_id).toBe(heir.userId);
});

test("a viewer reads everything and is offered nothing that changes it", async ({ page, api, adminToken }) => {
  const person = await newMember(api);
  const role = { token: adminToken, body: { role: "viewer" } };
  expect((await api("PATCH", `/v1/users/${person.userId}`, role)).status).toBe(200);
  await enter(page, listPath, { email: person.email, password: memberPassword });
  await expect(page.getByRole("row").filter({ hasText: person.email })).toContainText("Viewer");
  await page.goto(`${listPath}/${person.userId}`);
  await expect(page.getByRole("button", { name: "Change role" })).toHaveCount(0);
  for (const path of ["payment-requests", "transactions", "accounts"]) {
    await page.goto(`/dashboard/${path}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByText("You are a viewer: you can look at everything here")).toBeVisible();
    await expect(page.getByRole("link", { name: /^(New|Create|Record)/ })).toHaveCount(0);
    await page.goto(`/dashboard/${path}/new`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your role does not include this page");
  }
});

test("members and operators find no users, in the menu or by address", async ({ page, api, adminToken }) => {
  const person = await newMember(api);
  await enter(page, "/dashboard/accounts", { email: person.email, password: memberPassword });
  await expect(page.getByRole("link", { name: "Users" })).toHaveCount(0);
  // This server sends no mail, so there is no link to open.
  const unverified = page.getByRole("region", { name: "Confirm your e-mail address" });
  await expect(unverified).toContainText("No mail server is set up, so no link arrives.");
  await expect(unverified.getByRole("button")).toHaveCount(0);
  const role = { token: adminToken, body: { role: "operator" } };
  expect((await api("PATCH", `/v1/users/${person.userId}`, role)).status).toBe(200);
  await page.goto(listPath);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your role does not include this page");
  await expect(page.getByRole("link", { name: "Users" })).toHaveCount(0);
  // The account of another user, whose owner an operator may not look up.
  const other = await newMember(api);
  await page.goto(`/dashboard/accounts/${other.accountId}`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

test("users change their profile, which sets the formats, and end their other sessions", async ({ page, api }) => {
  test.slow(true, "Every page is checked for accessibility at three widths in both schemes.");
  const person = await newMember(api);
  await enter(page, "/dashboard/accounts", { email: person.email, password: memberPassword });
  await page.getByRole("button", { name: /user menu/ }).click();
  await page.getByRole("menuitem", { name: "Profile" }).click();
  await page.waitForURL("**/dashboard/profile");
  await untilInteractive(page);
  await expectAccessible(page);
  await page.getByLabel("Name", { exact: true }).fill("Zoë Quartz");
  await page.getByLabel("Language and formats").selectOption("de-AT");
  await page.getByLabel("Time zone").selectOption("Asia/Tokyo");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved your profile.")).toBeVisible();
  // The whole page is read again, in the language that was chosen.
  await expect(page.getByRole("button", { name: "Zoë Quartz, Benutzermenü" })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await expect(page.getByRole("heading", { name: "Profil", exact: true })).toBeVisible();
  // Dates as in Austria: 22.11.2026.
  await expect(page.getByRole("table", { name: "Sitzungen" }).getByRole("time").first()).toHaveAttribute(
    "title",
    /^\d{2}\.\d{2}\.\d{4}/,
  );
  await expectAccessible(page);

  await page.getByRole("row").filter({ hasText: "Diese Sitzung" }).getByRole("button").click();
  await page.getByRole("dialog").getByRole("button", { name: "Beenden", exact: true }).click();
  await page.waitForURL("**/sign-in?ended=*");
  // Nobody is signed in, so the browser decides.
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
});

test("users end one session, all others and all by keyboard alone", async ({ page, api }) => {
  const person = await newMember(api);
  const others = [await signIn(api, person.email, memberPassword), await signIn(api, person.email, memberPassword)];
  const tokens = [person.token, ...others.map(({ access_token }) => access_token)];
  const live = async () => {
    const replies = await Promise.all(tokens.map((token) => api("GET", "/v1/payments", { token })));
    return replies.filter(({ status }) => status === 200).length;
  };
  await enter(page, "/dashboard/profile", { email: person.email, password: memberPassword });
  const table = page.getByRole("table", { name: "Sessions" });
  const rows = table.getByRole("button");
  await expect(rows).toHaveCount(4);
  const dialog = page.getByRole("dialog");
  await enterAt(page, page.getByRole("button", { name: "End the session on node" }).first());
  await expectAccessible(page);
  await enterAt(page, dialog.getByRole("button", { name: "End", exact: true }));
  await expect(page.getByRole("status").filter({ hasText: "Ended the session on node." })).toBeVisible();
  await expect(rows).toHaveCount(3);
  // The next row has taken the place of the one that had the focus.
  await expect(table.getByRole("button", { name: "End the session on node" }).first()).toBeFocused();
  expect(await live()).toBe(2);

  await enterAt(page, page.getByRole("button", { name: "End all others" }));
  await expectAccessible(page);
  await enterAt(page, dialog.getByRole("button", { name: "End all others" }));
  await expect(page.getByRole("status").filter({ hasText: "Ended all other sessions." })).toBeFocused();
  await expect(rows).toHaveCount(1);
  expect(await live()).toBe(0);

  await enterAt(page, page.getByRole("button", { name: "End all", exact: true }));
  await expect(dialog).toContainText("You will be signed out everywhere, including here.");
  await expectAccessible(page);
  await enterAt(page, dialog.getByRole("button", { name: "End all", exact: true }));
  await page.waitForURL("**/sign-in?ended=*");
  await expect(page.getByRole("status")).toHaveText("All your sessions have ended.");
});

test("a program that renews its tokens stays one session, which its user ends at once", async ({ page, api }) => {
  const { email, tokens } = await newMember(api);
  await enter(page, "/dashboard/profile", { email, password: memberPassword });
  const ends = page.getByRole("table", { name: "Sessions" }).getByRole("button", { name: "End the session on node" });
  await expect(ends).toHaveCount(1);
  const refresh = (token: string) => api<TokenPair & ApiError>("POST", "/v1/auth/refresh", { token });
  const { status, body } = await refresh(tokens.refresh_token);
  expect([status, body.session_id]).toEqual([200, tokens.session_id]);
  await page.reload();
  await expect(ends).toHaveCount(1);
  await ends.click();
  await page.getByRole("dialog").getByRole("button", { name: "End", exact: true }).click();
  await expect(page.getByRole("status").filter({ hasText: "Ended the session on node." })).toBeVisible();
  await expect(ends).toHaveCount(0);
  expect((await refresh(body.refresh_token)).body.error_code).toBe("session_not_found");
  expect((await api("GET", "/v1/payments", { token: body.access_token })).status).toBe(401);
});

test("an admin gives up the role, and another leaves; the last one can do neither", async ({
  page,
  api,
  adminToken,
}) => {
  test.slow(true, "Every page is checked for accessibility at three widths in both schemes.");
  const role = { token: adminToken, body: { role: "admin" } };
  const admins = [await newMember(api), await newMember(api)];
  for (const { userId } of admins) expect((await api("PATCH", `/v1/users/${userId}`, role)).status).toBe(200);
  const [demoted, leaver] = admins.map(({ email, userId }) => ({ email, userId, password: memberPassword }));
  if (!demoted || !leaver) throw new Error("There are two admins.");

  await enter(page, `${listPath}/${demoted.userId}`, demoted);
  await page.getByRole("button", { name: "Change role" }).click();
  await page.getByRole("dialog").getByLabel("Role").selectOption("Viewer");
  await page.getByRole("dialog").getByRole("button", { name: "Change role" }).click();
  await expect(page.getByRole("status").filter({ hasText: `${demoted.email} is now: Viewer.` })).toBeVisible();
  await expect(page.getByText("You are a viewer: you can look at everything here")).toBeVisible();
  await expect(page.getByRole("button", { name: "Change role" })).toHaveCount(0);
  await expectAccessible(page);

  await page.context().clearCookies();
  await enter(page, `${listPath}/${leaver.userId}`, leaver);
  await page.getByRole("button", { name: "Remove user" }).click();
  const dialog = page.getByRole("dialog", { name: `Remove ${leaver.email}?` });
  await expect(dialog).toContainText("You will be signed out.");
  await expectAccessible(page);
  await dialog.getByLabel(/to confirm$/).fill(leaver.email);
  await dialog.getByRole("button", { name: "Remove user" }).click();
  await page.waitForURL("**/sign-in?ended=removed");
  await expect(page.getByRole("status")).toHaveText("Your user was removed.");
  await expectAccessible(page);

  const { body } = await api<{ data: Record<string, string>[] }>("GET", "/v1/users?limit=100", {
    token: adminToken,
  });
  const last = body.data.filter(({ role, status }) => role === "admin" && status === "active");
  expect(last).toHaveLength(1);
  await enter(page, `${listPath}/${last[0]?.user_id}`);
  await page.getByRole("button", { name: "Remove user" }).click();
  const removal = page.getByRole("dialog", { name: `Remove ${firstAdmin.email}?` });
  await removal.getByLabel(/to confirm$/).fill(firstAdmin.email);
  await removal.getByRole("button", { name: "Remove user" }).click();
  const refusal = "An organization needs an admin. Make somebody else an admin first.";
  await expect(removal.getByRole("alert")).toContainText(refusal);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(removal).toBeHidden();
  await page.getByRole("button", { name: "Change role" }).click();
  await page.getByRole("dialog").getByLabel("Role").selectOption("Member");
  await page.getByRole("dialog").getByRole("button", { name: "Change role" }).click();
  await expect(page.getByRole("dialog").getByRole("alert")).toContainText(refusal);
  await expectAccessible(page);
});
