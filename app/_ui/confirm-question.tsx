// The content of a dialog that asks for confirmation.
"use client";
import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useActKey } from "../_trpc/idempotency-key";
import type { ConfirmProps } from "./confirm-dialog";
import classes from "./confirm-dialog.module.css";
import { looksLike } from "./like-text";
import { ProblemSummary } from "./problem-summary";
import { useStepUp } from "./step-up";

interface QuestionProps extends Pick<ConfirmProps, "children" | "confirm" | "dismiss" | "isDanger" | "typed" | "act"> {
  close(): void;
  finish(): void;
  isBusy: boolean;
  onBusy(isBusy: boolean): void;
}

/** The focus starts on the text to type, otherwise on a field of the question, otherwise on the dismissing button. */
export function Question(props: QuestionProps) {
  const { children, confirm, dismiss, isDanger = false, typed, act, close, finish, isBusy, onBusy } = props;
  const t = useTranslations("dialog");
  const { key, answered } = useActKey();
  const { withStepUp, field, isShownInField } = useStepUp();
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const cancel = useRef<HTMLButtonElement>(null);
  const confirmation = useRef<HTMLInputElement>(null);
  const mutation = useMutation({
    mutationFn: () => withStepUp(() => act(key())),
    onSuccess: finish,
    onError(error) {
      answered(error);
      setAttempt((count) => count + 1);
    },
    onSettled: () => onBusy(false),
  });
  useEffect(() => {
    const own = cancel.current?.form?.querySelector<HTMLInputElement>("input:not([readonly], [type=hidden])");
    if (own === confirmation.current || own == null) return (confirmation.current ?? cancel.current)?.focus();
    own.focus();
    own.select();
  }, []);
  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    if (typed !== undefined && !looksLike(text, typed)) {
      setProblem(t("typedWrong", { text: typed }));
      return confirmation.current?.focus();
    }
    onBusy(true);
    mutation.mutate();
  }
  return (
    <form onSubmit={onSubmit} noValidate className={classes.form}>
      <ProblemSummary fields={[]} refusal={isShownInField(mutation.error) ? null : mutation.error} attempt={attempt} />
      <div className={classes.text}>{children}</div>
      {typed !== undefined && (
        <TextInput
          ref={confirmation}
          label={t("typed", { text: typed })}
          autoComplete="off"
          value={text}
          error={problem}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setProblem(null);
          }}
        />
      )}
      {field}
      <div className={classes.actions}>
        <Button ref={cancel} variant="default" disabled={isBusy} onClick={close}>
          {dismiss ?? t("cancel")}
        </Button>
        <Button type="submit" color={isDanger ? "red" : undefined} loading={isBusy}>
          {confirm}
        </Button>
      </div>
    </form>
  );
}
