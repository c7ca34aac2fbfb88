// The main navigation on narrow screens: a button that opens a drawer.
"use client";
import { UnstyledButton } from "@mantine/core";
import { IconMenu2 } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { Dialog } from "@/app/_ui/dialog";
import classes from "./nav-drawer.module.css";
import { NavLinks, type NavPage } from "./nav-links";

/** `children` are below the links. */
export function NavDrawer({ hidden, children }: { hidden: readonly NavPage[]; children?: ReactNode }) {
  const t = useTranslations("shell");
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <>
      <UnstyledButton
        className={classes.burger}
        aria-label={t("menu")}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        <IconMenu2 size={22} aria-hidden />
      </UnstyledButton>
      <Dialog isOpen={isOpen} onClose={close} title={t("menu")} placement="start">
        <NavLinks hidden={hidden} onLeave={close} />
        {children}
      </Dialog>
    </>
  );
}
