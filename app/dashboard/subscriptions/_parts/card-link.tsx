// Makes a link with which the customer stores another card, and shows it once; it can be mailed at the same time.
"use client";
import { Button, Radio } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type MouseEvent, useEffect, useRef, useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { useIdempotencyKey } from "@/app/_trpc/idempotency-key";
import { useActDialog } from "@/app/_ui/act-dialog";
import { Question } from "@/app/_ui/confirm-question";
import { CopyButton } from "@/app/_ui/copy-button";
import { Dialog } from "@/app/_ui/dialog";
import classes from "@/app/_ui/form.module.css";
import secret from "@/app/dashboard/api-keys/_parts/keys.module.css";
import { limits } from "@/server/kit/limits";

interface Props {
  id: string;
  /** What the subscription is called. */
  name: string;
  /** The address of the customer. */
  email: string | null;
}

interface Made {
  /** Null if the answer was repeated, and a newer link has replaced this one. */
  url: string | null;
  isMailed: boolean;
}

export function CardLink({ id, name, email }: Props) {
  const t = useTranslations("subscriptionActs");
  const api = useTRPCClient();
  const { keyFor, answered } = useIdempotencyKey();
  const { isOpen, open, close, isBusy, onBusy } = useActDialog();
  const [way, setWay] = useState("mail");
  const [made, setMade] = useState<Made | null>(null);
  const answer = useRef<Made>(null);
  const show = (event: MouseEvent<HTMLElement>) => {
    setWay(email === null ? "copy" : "mail");
    setMade(null);
    open(event);
  };
  async function make(): Promise<void> {
    const input = { subscription_id: id, send: way === "mail" };
    try {
      const { url } = await api.subscriptions.cardLink.mutate(input, { context: { idempotencyKey: keyFor(input) } });
      answer.current = { url, isMailed: input.send };
    } catch (error) {
      answered(error);
      throw error;
    }
  }
  return (
    <>
      <Button variant="default" onClick={show}>
        {t("cardLink")}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => close()} title={t("cardTitle", { name })} isBusy={isBusy}>
        {made ? (
          <NewLink {...made} close={() => close()} />
        ) : (
          <Question
            confirm={t("cardMake")}
            act={make}
            close={() => close()}
            finish={() => setMade(answer.current)}
            isBusy={isBusy}
            onBusy={onBusy}
          >
            <p>{t("cardText")}</p>
            {email !== null && (
              <Radio.Group size="md" label={t("cardWay")} value={way} onChange={setWay}>
                <div className={classes.fields}>
                  <Radio value="mail" label={t("cardSend", { to: email })} />
                  <Radio value="copy" label={t("cardCopy")} />
                </div>
              </Radio.Group>
            )}
          </Question>
        )}
      </Dialog>
    </>
  );
}

function NewLink({ url, isMailed, close }: Made & { close(): void }) {
  const t = useTranslations("subscriptionActs");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className={classes.fields}>
      <div className={secret.made}>
        <h3 ref={heading} tabIndex={-1} className={secret.madeTitle}>
          {t("cardMade")}
        </h3>
        {isMailed && <p className={secret.madeText}>{t("cardMailed")}</p>}
        <p className={secret.madeText}>{t("cardExpires", { days: limits.cardLinkDays })}</p>
        {url !== null && (
          <div className={secret.secret}>
            <code className={secret.secretText}>{url}</code>
            <CopyButton text={url} label={t("cardCopyUrl")} size="sm" />
          </div>
        )}
      </div>
      <div className={classes.actions}>
        <Button onClick={close}>{t("cardDone")}</Button>
      </div>
    </div>
  );
}
