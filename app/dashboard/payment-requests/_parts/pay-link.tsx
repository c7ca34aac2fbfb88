// The link to send to the customer, with its QR code: <PayLink id={payment_id} url={payment_url} mailTo={…} … />.
"use client";
import { TextInput } from "@mantine/core";
import { IconMail } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { CopyButton } from "@/app/_ui/copy-button";
import { Link } from "@/app/_ui/link";
import classes from "./pay-link.module.css";
import { QrCode } from "./qr-code";

interface Props {
  id: string;
  url: string;
  /** Opens the reader's mail program with a mail to the customer. */
  mailTo: string;
  /** Whether the link takes a payment now or once it is resumed; otherwise there is no QR code. */
  state: "payable" | "paused" | "waiting" | "ended";
  /** What to say of a link that was just created; Copy then has the focus. */
  created?: ReactNode;
  /** Why a link that is open takes no payment, if its account has no owner. */
  ownerless?: OwnerlessProps | undefined;
}

interface OwnerlessProps {
  accountPath: string;
  /** Whether this is news, which takes the focus. */
  isNew: boolean;
}

export function PayLink({ id, url, mailTo, state, created, ownerless }: Props) {
  const t = useTranslations("payLink");
  const place = useRef<HTMLDivElement>(null);
  const textId = useId();
  const isNew = created !== undefined;
  useEffect(() => {
    if (isNew) place.current?.querySelector("button")?.focus();
  }, [isNew]);
  return (
    <div className={classes.place}>
      {isNew && (
        <p id={textId} className={classes.text}>
          {created}
        </p>
      )}
      <div ref={place} className={classes.link}>
        <TextInput
          id="link"
          aria-label={t("link")}
          value={url}
          readOnly
          className={classes.url}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton
          text={url}
          label={t("copy")}
          size="md"
          variant={isNew ? "filled" : "default"}
          describedBy={isNew ? textId : undefined}
        />
      </div>
      {ownerless ? (
        <Ownerless {...ownerless} />
      ) : (
        <>
          {state !== "payable" && <p className={classes.text}>{t(state)}</p>}
          {(state === "payable" || state === "paused") && (
            <QrCode paymentId={id}>
              <a href={mailTo} className={classes.share}>
                <IconMail size={16} aria-hidden />
                {t("share")}
              </a>
            </QrCode>
          )}
        </>
      )}
    </div>
  );
}

function Ownerless({ accountPath, isNew }: OwnerlessProps) {
  const t = useTranslations("payLink");
  const text = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (isNew) text.current?.focus();
  }, [isNew]);
  return (
    <p ref={text} role={isNew ? "status" : undefined} tabIndex={isNew ? -1 : undefined} className={classes.text}>
      {t("ownerless")} <Link href={accountPath}>{t("toAccount")}</Link>
    </p>
  );
}
