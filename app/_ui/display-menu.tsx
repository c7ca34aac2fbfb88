// Which columns a list shows, and how many rows a page has.
"use client";
import { Button } from "@mantine/core";
import { IconColumns3 } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { MenuOnDemand, type RenderButton } from "./menu-on-demand";
import { onDemand } from "./on-demand";
import type { DisplayProps } from "./open-display-menu";

const load = async () => (await import("./open-display-menu")).OpenDisplayMenu;
const OpenDisplayMenu = onDemand(load);

export function DisplayMenu({ columns }: DisplayProps) {
  const t = useTranslations("list");
  const button: RenderButton = (props) => (
    <Button variant="default" size="sm" leftSection={<IconColumns3 size={16} aria-hidden />} {...props}>
      <span className="hidden-on-phones">{t("display")}</span>
    </Button>
  );
  return (
    <MenuOnDemand button={button} load={load} kind="dialog">
      <OpenDisplayMenu columns={columns} button={button} />
    </MenuOnDemand>
  );
}
