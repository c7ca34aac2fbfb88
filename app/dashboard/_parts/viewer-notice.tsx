// Says on every page why viewers find no buttons there.
import { useTranslations } from "next-intl";
import classes from "./attention.module.css";

export function ViewerNotice() {
  const t = useTranslations("app");
  return <p className={classes.viewer}>{t("viewer")}</p>;
}
