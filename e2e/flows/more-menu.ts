// The menu of a record's page with the actions that are not in sight.
import type { Locator, Page } from "playwright/test";

export const moreButton = (page: Page): Locator => page.getByRole("button", { name: "More", exact: true });

/** Opens the menu, which focuses its first action. */
export const openMore = (page: Page): Promise<void> => moreButton(page).press("Enter");
