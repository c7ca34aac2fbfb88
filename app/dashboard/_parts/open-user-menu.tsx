// The opened menu of the user: the links to the profile and to change the password, the keyboard shortcuts, sign-out.
"use client";
import { Menu } from "@mantine/core";
import { IconKey, IconKeyboard, IconLogout, IconUserCircle } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useRefusalText } from "@/app/_trpc/refusal";
import { Link } from "@/app/_ui/link";
import { type RenderButton, useOpening } from "@/app/_ui/menu-on-demand";
import type { UserRole } from "@/db/schema/values";
import { ShortcutHelp } from "./shortcuts";
import { useSignOut } from "./sign-out";
import classes from "./user-menu.module.css";

export interface UserMenuProps {
  /** Null if the user has no name. */
  name: string | null;
  email: string;
  role: UserRole;
  organization: string;
  mayCreate: boolean;
  button: RenderButton;
}

export function OpenUserMenu({ name, email, role, organization, mayCreate, button }: UserMenuProps) {
  const t = useTranslations("shell");
  const refusalText = useRefusalText();
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  const { signOut, error } = useSignOut();
  const shown = name ?? email;
  const menu = useOpening();
  return (
    <>
      <Menu
        {...menu.state}
        position="bottom-end"
        width={272}
        shadow="md"
        closeOnItemClick={false}
        withInitialFocusPlaceholder={false}
      >
        <Menu.Target>{button({ ref: menu.target })}</Menu.Target>
        <Menu.Dropdown>
          {/* A menu may contain a group; its name says whose items they are. */}
          {/* biome-ignore lint/a11y/useSemanticElements: a menu may not contain a fieldset. */}
          <div role="group" aria-label={`${shown}, ${email}, ${t("role", { role, organization })}`}>
            <div aria-hidden className={classes.who}>
              <span className={classes.whoName}>{shown}</span>
              {name !== null && <span>{email}</span>}
              <span>{t("role", { role, organization })}</span>
            </div>
            <Menu.Divider />
            <Menu.Item
              component={Link}
              href="/dashboard/profile"
              leftSection={<IconUserCircle size={16} aria-hidden />}
            >
              {t("profile")}
            </Menu.Item>
            <Menu.Item component={Link} href="/dashboard/password" leftSection={<IconKey size={16} aria-hidden />}>
              {t("password")}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconKeyboard size={16} aria-hidden />}
              closeMenuOnClick
              onClick={() => setIsHelpOpen(true)}
            >
              {t("shortcuts")}
            </Menu.Item>
            <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={signOut}>
              {t("signOut")}
            </Menu.Item>
          </div>
          {error !== null && (
            <p role="alert" className={classes.refusal}>
              {refusalText(error)}
            </p>
          )}
        </Menu.Dropdown>
      </Menu>
      <ShortcutHelp mayCreate={mayCreate} isOpen={isHelpOpen} onClose={() => setIsHelpOpen(false)} />
    </>
  );
}
