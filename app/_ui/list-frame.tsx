// A page that shows one list: heading and action, the rows or why there are none, steps to other pages.
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { ButtonLink } from "./button-link";
import { Card, EmptyState, PageHead } from "./page-frame";
import { PageLinks } from "./page-links";

interface Props {
  /** The list's address without a cursor. */
  path: string;
  title: string;
  action?: ReactNode;
  /** Shown instead of the rows where there are none at all. */
  empty: { title: string; text: string };
  cursor: string | undefined;
  /** Null where the address leads nowhere. */
  page: { data: readonly unknown[]; next_cursor: string | null } | null;
  children: ReactNode;
}

export function ListFrame({ path, title, action, empty, cursor, page, children }: Props) {
  const isEmpty = page?.data.length === 0;
  return (
    <>
      <PageHead title={title} action={isEmpty ? undefined : action} />
      <Card>
        {page === null && <StalePage path={path} />}
        {isEmpty && <EmptyState {...empty} action={action} />}
        {page !== null && !isEmpty && children}
      </Card>
      <PageLinks
        first={path}
        next={page?.next_cursor ? `${path}?cursor=${encodeURIComponent(page.next_cursor)}` : null}
        title={title}
        isFurther={cursor !== undefined && page !== null}
      />
    </>
  );
}

function StalePage({ path }: { path: string }) {
  const t = useTranslations("list");
  const back = (
    <ButtonLink href={path} variant="outline">
      {t("newest")}
    </ButtonLink>
  );
  return <EmptyState title={t("staleTitle")} text={t("staleText")} action={back} />;
}
