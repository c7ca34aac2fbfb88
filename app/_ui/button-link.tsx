// A link styled as a button, for navigation.

import type { ComponentProps } from "react";
import classes from "./button-link.module.css";
import { Link } from "./link";

type Props = Omit<ComponentProps<typeof Link>, "className"> & { variant?: "filled" | "outline"; size?: "sm" };

export function ButtonLink({ variant = "filled", size, ...link }: Props) {
  return <Link {...link} className={classes.link} data-variant={variant} data-size={size} />;
}
