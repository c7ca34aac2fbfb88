// The opened menu of color schemes. Mantine stores the choice in this browser, and its script applies it before the first paint.
"use client";
import { Menu, useMantineColorScheme } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type RenderButton, useOpening } from "@/app/_ui/menu-on-demand";

const schemes = ["light", "dark", "auto"] as const;

export function OpenThemeMenu({ button }: { button: RenderButton }) {
  const t = useTranslations("shell");
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { target, state } = useOpening();
  return (
    <Menu {...state} position="bottom-end" width={180} shadow="md" withInitialFocusPlaceholder={false}>
      <Menu.Target>{button({ ref: target })}</Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={colorScheme}
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
