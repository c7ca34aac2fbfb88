// Who is signed in, and the way out.
"use client";
import { Menu, UnstyledButton } from "@mantine/core";
import { IconChevronDown, IconLogout } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useTRPC } from "@/app/_trpc/client";
import { isSignedOut, useRefusalText } from "@/app/_trpc/refusal";
import classes from "./user-menu.module.css";

interface Props {
  name: string;
  email: string;
  role: "admin" | "member";
  organization: string;
}

/** A full load: nothing of what this user has seen stays in memory. */
const leave = () => window.location.replace("/sign-in");

export function UserMenu({ name, email, role, organization }: Props) {
  const t = useTranslations("shell");
  const trpc = useTRPC();
  const refusalText = useRefusalText();
  const signOut = useMutation(
    trpc.sessions.signOut.mutationOptions({
      onSuccess: leave,
      onError: (error) => isSignedOut(error) && leave(),
    }),
  );
  return (
    <div className={classes.place}>
      <Menu position="bottom-end" width={260} shadow="md" closeOnItemClick={false} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <UnstyledButton className={classes.target} aria-label={t("userMenu", { name })}>
            <span className={classes.name}>{name}</span>
            <IconChevronDown size={16} aria-hidden />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          {/* A group is what may stand in a menu; its name says to whom the items belong. */}
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a menu. */}
          <div role="group" aria-label={`${email}, ${t("role", { role, organization })}`}>
            <div aria-hidden className={classes.who}>
              <span className={classes.email}>{email}</span>
              <span>{t("role", { role, organization })}</span>
            </div>
            <Menu.Divider />
            <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => signOut.mutate({})}>
              {t("signOut")}
            </Menu.Item>
          </div>
          {signOut.isError && (
            <p role="alert" className={classes.refusal}>
              {refusalText(signOut.error)}
            </p>
          )}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}
