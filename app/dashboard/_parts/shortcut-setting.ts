// Whether shortcuts of single keys work in this browser (WCAG 2.1.4): on until somebody switches them off.
"use client";
import { useLocalStorage } from "@mantine/hooks";

/** The setting and how to change it. */
export const useShortcutSetting = () => useLocalStorage({ key: "quittance-shortcuts", defaultValue: true });
