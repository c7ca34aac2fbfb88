// The menu of the signed-in user.
"use client";
import { UnstyledButton } from "@mantine/core";
import { IconChevronDown, IconUserCircle } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { MenuOnDemand, type RenderButton } from "@/app/_ui/menu-on-demand";
import { onDemand } from "@/app/_ui/on-demand";
import type { UserMenuProps } from "./open-user-menu";
import classes from "./user-menu.module.css";

const load = async () => (await import("./open-user-menu")).OpenUserMenu;
const OpenUserMenu = onDemand(load);

export function UserMenu(props: Omit<UserMenuProps, "button">) {
  const t = useTranslations("shell");
  const name = props.name ?? props.email;
  const button: RenderButton = (others) => (
    <UnstyledButton className={classes.target} aria-label={t("userMenu", { name })} {...others}>
      <IconUserCircle size={22} stroke={1.5} aria-hidden className={classes.icon} />
      <span className={classes.name}>{name}</span>
      <IconChevronDown size={16} aria-hidden className={classes.arrow} />
    </UnstyledButton>
  );
  return (
    <MenuOnDemand button={button} load={load}>
      <OpenUserMenu {...props} button={button} />
    </MenuOnDemand>
  );
}
