// A link to another page of the app that prefetches nothing: <Link href="/dashboard/accounts">{t("accounts")}</Link>
import NextLink from "next/link";
import type { ComponentProps } from "react";
import { LinkPending } from "./pending-bar";

/**
 * Every page here is rendered for its reader, so a prefetch returns none of its content. Yet each visible link would
 * cost the server two requests, and again after every refresh: more work than rendering the page that it is on.
 */
export const Link = ({ children, ...props }: Omit<ComponentProps<typeof NextLink>, "prefetch">) => (
  <NextLink {...props} prefetch={false}>
    {children}
    <LinkPending />
  </NextLink>
);
