// What customers see of an account on its pay pages: the color, which the form saves, and the logo, with a preview.
"use client";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import waiting from "../../_parts/preview/pay-page-frame.module.css";
import { ColorField, FieldGroup } from "./account-fields";
import classes from "./account-fields.module.css";
import type { AccountForm } from "./account-form";
import { LogoField } from "./logo-field";

/** Loaded after the form, which works without it. */
const PagePreview = dynamic(() => import("./page-preview").then((module) => module.PagePreview), {
  ssr: false,
  loading: () => <div className={waiting.waiting} />,
});

interface Props extends Pick<AccountForm, "form" | "field" | "color"> {
  accountId: string;
  /** The path of the logo; null without one. */
  logo: string | null;
}

export function BrandingFields({ accountId, logo, form, field, color }: Props) {
  const t = useTranslations("accountForm");
  return (
    <FieldGroup legend={t("branding")}>
      <div className={classes.pair}>
        <ColorField form={form} field={field} color={color} />
        <LogoField accountId={accountId} logo={logo} />
      </div>
      <PagePreview accountId={accountId} color={color} logo={logo} />
    </FieldGroup>
  );
}
