// Sends a test mail to the reader and shows what the mail server answered.
"use client";
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useTRPC } from "@/app/_trpc/client";
import { Refusal } from "@/app/_ui/refusal";
import classes from "./test-mail.module.css";

export function TestMail({ email }: { email: string }) {
  const t = useTranslations("mailSettings");
  const trpc = useTRPC();
  const test = useMutation(trpc.mails.test.mutationOptions());
  const { data } = test;
  return (
    <>
      <p className={classes.text}>{t("testText", { email })}</p>
      <Button loading={test.isPending} onClick={() => test.mutate({})}>
        {t("send")}
      </Button>
      <p role="status" className={classes.answer} data-tone={data && (data.is_sent ? "good" : "bad")}>
        {data && t(data.is_sent ? "sentTo" : "notSent", { to: data.to, answer: data.answer })}
        {test.isError && <Refusal error={test.error} />}
      </p>
    </>
  );
}
