// What flows of passwords and step-up share: signing in by the form, and sign-ins that are no longer fresh.
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import type { Page } from "playwright/test";
import { ADMIN, type TestServer } from "../server";

/** Signs in by the form and waits until the page at `path` is ready. */
export async function enter(page: Page, path: string, { email, password } = ADMIN): Promise<void> {
  await page.goto(`/sign-in?next=${encodeURIComponent(path)}`);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(`**${path}`);
  await page.waitForLoadState("networkidle");
}

/** Makes every dashboard session older than what counts as a fresh sign-in. */
export function makeStale({ databaseUrl }: TestServer): void {
  withDatabase(databaseUrl, (database) =>
    database.prepare("update sessions set authenticated_at = authenticated_at - 600001 where kind = 'cookie'").run(),
  );
}

/** Writes to the database of a running server. */
export function withDatabase(databaseUrl: string, write: (database: Database.Database) => void): void {
  const database = new Database(fileURLToPath(databaseUrl));
  try {
    write(database);
  } finally {
    database.close();
  }
}
