// What the search over everything does at once, without a page: it changes the color scheme, or signs out.
"use client";
import { useMantineColorScheme } from "@mantine/core";
import { IconDeviceDesktop, IconLogout, IconMoon, IconSun } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useSignOut } from "../sign-out";
import type { Choice } from "./choices";
import { type Act, acts } from "./goals";

const icons = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop, signOut: IconLogout } as const;

/** The acts, and why signing out failed; `reset` forgets that. */
export function useActs(onLeave: () => void): { choices: Choice[]; error: unknown; reset(): void } {
  const t = useTranslations("palette");
  const { setColorScheme } = useMantineColorScheme();
  const { signOut, error, reset } = useSignOut();
  function run(act: Act) {
    if (act === "signOut") return signOut();
    setColorScheme(act);
    onLeave();
  }
  const choices = acts.map((act) => ({
    id: act,
    Icon: icons[act],
    title: t(`acts.${act}`),
    synonyms: t(`synonyms.${act}`),
    run: () => run(act),
  }));
  return { choices, error, reset };
}
