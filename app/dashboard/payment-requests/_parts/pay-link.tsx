// The link to send to the customer, with its QR code: <PayLink id={payment_id} url={payment_url} />.
"use client";
import { TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { CopyButton } from "@/app/_ui/copy-button";
import classes from "./pay-link.module.css";
import { QrCode } from "./qr-code";

interface Props {
  id: string;
  url: string;
  /** Whether it can still be paid; otherwise there is no QR code. */
  isOpen?: boolean;
}

export function PayLink({ id, url, isOpen = true }: Props) {
  const t = useTranslations("payLink");
  return (
    <div className={classes.place}>
      <div className={classes.link}>
        <TextInput
          id="link"
          aria-label={t("link")}
          value={url}
          readOnly
          className={classes.url}
          description={isOpen ? undefined : t("ended")}
          inputWrapperOrder={["input", "description"]}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton text={url} label={t("copy")} size="md" variant={isOpen ? "filled" : "default"} />
      </div>
      {isOpen && <QrCode paymentId={id} />}
    </div>
  );
}
