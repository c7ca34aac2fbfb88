// Copies a text, confirms it on the button and to screen readers, and helps where the browser refuses.
"use client";
import { Button, type ButtonProps } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import classes from "./copy-button.module.css";
import { IconButton } from "./icon-button";

interface Props extends Pick<ButtonProps, "size" | "variant"> {
  text: string;
  label: string;
  /** What is copied, for screen readers. Begins with the label. */
  fullLabel?: string;
  /** The id of a text that describes what is copied. */
  describedBy?: string | undefined;
  /** Shows only the icon, for lists with one button per row. */
  isBare?: boolean;
}

export function CopyButton({
  text,
  label,
  fullLabel,
  size = "compact-sm",
  variant = "default",
  isBare = false,
  describedBy,
}: Props) {
  const t = useTranslations("copy");
  const { copy, copied, error } = useClipboard();
  const Icon = copied ? IconCheck : IconCopy;
  const hasFailed = error !== null;
  const outcome = (
    <span role="status" className={hasFailed ? classes.failed : "visually-hidden"}>
      {hasFailed ? t("failed") : copied ? t("done") : ""}
    </span>
  );
  if (isBare) {
    return (
      <span className={classes.copy}>
        <IconButton title={label} aria-label={fullLabel ?? label} onClick={() => copy(text)}>
          <Icon size={18} aria-hidden />
        </IconButton>
        {outcome}
      </span>
    );
  }
  return (
    <span className={classes.copy}>
      <Button
        size={size}
        variant={variant}
        leftSection={<Icon size={16} aria-hidden />}
        aria-label={copied ? undefined : fullLabel}
        aria-describedby={describedBy}
        onClick={() => copy(text)}
      >
        {copied ? t("done") : label}
      </Button>
      {outcome}
    </span>
  );
}
