// Paging through a list: back to its newest page, on to older ones. Each page has its own address.
import { useTranslations } from "next-intl";
import { ButtonLink } from "./button-link";
import classes from "./page-links.module.css";

interface Props {
  /** The address of the first page. */
  first: string;
  /** The address of the page after this one. */
  next: string | null;
  title: string;
  /** Whether this is not the first page. */
  isFurther: boolean;
}

export function PageLinks({ first, next, title, isFurther }: Props) {
  const t = useTranslations("list");
  if (!isFurther && next === null) return null;
  return (
    <nav aria-label={t("pages", { title })} className={classes.links}>
      {isFurther && (
        <ButtonLink href={first} variant="outline">
          {t("newest")}
        </ButtonLink>
      )}
      {next !== null && (
        <ButtonLink href={next} variant="outline" rel="next">
          {t("older")}
        </ButtonLink>
      )}
    </nav>
  );
}
