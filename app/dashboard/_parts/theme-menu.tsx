// The menu of color schemes: light, dark or system.
"use client";
import { UnstyledButton } from "@mantine/core";
import { IconMoon, IconSun } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { MenuOnDemand, type RenderButton } from "@/app/_ui/menu-on-demand";
import { onDemand } from "@/app/_ui/on-demand";
import classes from "./top-bar.module.css";

const load = async () => (await import("./open-theme-menu")).OpenThemeMenu;
const OpenThemeMenu = onDemand(load);

export function ThemeMenu() {
  const t = useTranslations("shell");
  const button: RenderButton = (props) => (
    <UnstyledButton className={classes.icon} aria-label={t("theme")} title={t("theme")} {...props}>
      <IconSun size={20} stroke={1.75} aria-hidden className={classes.onLight} />
      <IconMoon size={20} stroke={1.75} aria-hidden className={classes.onDark} />
    </UnstyledButton>
  );
  return (
    <MenuOnDemand button={button} load={load}>
      <OpenThemeMenu button={button} />
    </MenuOnDemand>
  );
}
