// Texts of client components for some pages only. Those that every page needs are in app/layout.tsx.
import type { Messages } from "next-intl";
import { getMessages } from "next-intl/server";
import type { ReactNode } from "react";
import { AddedTexts } from "./added-texts";

type Part = keyof Messages;

/** These parts of the catalog in the viewer's language, as JSON for AddedTexts. */
export async function textsOf(parts: readonly Part[]): Promise<string> {
  const messages = await getMessages();
  return JSON.stringify(Object.fromEntries(parts.map((part) => [part, messages[part]])));
}

/** A layout that sends these parts of the catalog to the client components of its pages. */
export const layoutWithTexts =
  (parts: readonly Part[]) =>
  async ({ children }: { children: ReactNode }) => <AddedTexts texts={await textsOf(parts)}>{children}</AddedTexts>;
