// Light, dark or system. Mantine stores the choice in this browser, and its script applies it before the first paint.
"use client";
import { Menu, UnstyledButton, useMantineColorScheme } from "@mantine/core";
import { IconMoon, IconSun } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import classes from "./top-bar.module.css";

const schemes = ["light", "dark", "auto"] as const;

export function ThemeMenu() {
  const t = useTranslations("shell");
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  // The server does not know the choice, so it is marked only when the menu can open.
  const [chosen, setChosen] = useState<string | null>(null);
  useEffect(() => setChosen(colorScheme), [colorScheme]);
  return (
    <Menu position="bottom-end" width={180} shadow="md" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <UnstyledButton className={classes.icon} aria-label={t("theme")} title={t("theme")}>
          <IconSun size={20} stroke={1.75} aria-hidden className={classes.onLight} />
          <IconMoon size={20} stroke={1.75} aria-hidden className={classes.onDark} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={chosen}
          onChange={(value) => setColorScheme(schemes.find((scheme) => scheme === value) ?? "auto")}
        >
          {schemes.map((scheme) => (
            <Menu.RadioItem key={scheme} value={scheme}>
              {t(`themes.${scheme}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
