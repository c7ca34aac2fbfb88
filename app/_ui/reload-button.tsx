// Loads the page again: <ReloadButton>{t("retry")}</ReloadButton>
"use client";
import { Button, type ButtonProps } from "@mantine/core";

/** Loads everything again: what failed may have been on the server, which a new rendering alone would not ask. */
const reload = () => window.location.reload();

export const ReloadButton = (props: Pick<ButtonProps, "children" | "variant">) => (
  <Button {...props} onClick={reload} />
);
