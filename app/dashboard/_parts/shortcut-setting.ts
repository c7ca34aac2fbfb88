// Whether single-key shortcuts are on in this browser (WCAG 2.1.4): yes, until the user turns them off.
"use client";
import { useLocalStorage } from "@mantine/hooks";

/** The setting and a function that changes it. */
export const useShortcutSetting = () => useLocalStorage({ key: "quittance-shortcuts", defaultValue: true });
