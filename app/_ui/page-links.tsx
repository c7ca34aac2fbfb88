// Steps through a list: back to its newest page, on to older ones. Each page has its own address.
import { useTranslations } from "next-intl";
import { ButtonLink } from "./button-link";
import classes from "./page-links.module.css";

interface Props {
  /** The list's address without a cursor. */
  path: string;
  title: string;
  /** Whether this is not the first page. */
  isFurther: boolean;
  nextCursor: string | null;
}

export function PageLinks({ path, title, isFurther, nextCursor }: Props) {
  const t = useTranslations("list");
  if (!isFurther && nextCursor === null) return null;
  return (
    <nav aria-label={t("pages", { title })} className={classes.links}>
      {isFurther && (
        <ButtonLink href={path} variant="outline">
          {t("newest")}
        </ButtonLink>
      )}
      {nextCursor !== null && (
        <ButtonLink href={`${path}?cursor=${encodeURIComponent(nextCursor)}`} variant="outline" rel="next">
          {t("older")}
        </ButtonLink>
      )}
    </nav>
  );
}
