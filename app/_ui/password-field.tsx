// A password field that can show its characters:
// <PasswordField label={t("password")} autoComplete="current-password" error={problem} />
"use client";
import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { useTranslations } from "next-intl";

export function PasswordField(props: Omit<PasswordInputProps, "visibilityToggleButtonProps">) {
  const t = useTranslations("form");
  return (
    <PasswordInput
      // Mantine's other fields set this themselves.
      aria-invalid={props.error ? true : undefined}
      visibilityToggleButtonProps={{ "aria-label": t("showCharacters"), tabIndex: 0 }}
      {...props}
    />
  );
}
