// A button that shows only an icon, for lists with one in each row: Mantine's takes the server thirty times as long.
// <IconButton aria-label={t("copy")} onClick={copy}><IconCopy size={18} aria-hidden /></IconButton>
import type { ComponentProps } from "react";
import classes from "./icon-button.module.css";

interface Props extends Omit<ComponentProps<"button">, "type" | "className"> {
  "aria-label": string;
  isLarge?: boolean;
}

export const IconButton = ({ isLarge, ...props }: Props) => (
  <button type="button" className={classes.button} data-large={isLarge} {...props} />
);
