// The action of a list that leads to the form for a new record. In the list's head on phones it is only a plus sign:
// <NewLink href={`${path}/new`}>{t("create")}</NewLink>
import { IconPlus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { ButtonLink } from "./button-link";

export const NewLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <ButtonLink href={href} data-new>
    <IconPlus size={22} aria-hidden />
    <span>{children}</span>
  </ButtonLink>
);
