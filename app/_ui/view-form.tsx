// Asks for the name of a view, or whether to remove it.
"use client";
import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { limits } from "@/server/kit/limits";
import { useTRPCClient } from "../_trpc/client";
import { useRefusalText } from "../_trpc/refusal";
import classes from "./form.module.css";
import type { SavedView } from "./saved-views";
import type { ViewAct } from "./view-dialog";

interface Props {
  act: ViewAct;
  onDone(view: SavedView): void;
  onClose(): void;
  isBusy: boolean;
  onBusy(isBusy: boolean): void;
}

export function ViewForm({ act, onDone, onClose, isBusy, onBusy }: Props) {
  const t = useTranslations("views");
  const refusalText = useRefusalText();
  const call = useCall(act);
  const [name, setName] = useState(act.kind === "save" ? "" : act.view.name);
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const { mutate } = useMutation({
    mutationFn: () => call(name.trim()),
    onSuccess: onDone,
    onError(error) {
      setProblem(refusalText(error));
      field.current?.focus();
    },
    onSettled: () => onBusy(false),
  });
  useEffect(() => {
    field.current?.select();
    (field.current ?? cancel.current)?.focus();
  }, []);
  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    if (name.trim() === "") {
      setProblem(t("nameMissing"));
      return field.current?.focus();
    }
    onBusy(true);
    mutate();
  }
  return (
    <form noValidate onSubmit={onSubmit} className={classes.fields}>
      {act.kind === "remove" ? (
        <>
          <p>{t("removeText")}</p>
          {problem !== null && <p role="alert">{problem}</p>}
        </>
      ) : (
        <TextInput
          ref={field}
          label={t("name")}
          autoComplete="off"
          maxLength={limits.savedViews.name}
          value={name}
          error={problem}
          onChange={(event) => {
            setName(event.currentTarget.value);
            setProblem(null);
          }}
        />
      )}
      <div className={classes.actions}>
        <Button ref={cancel} variant="default" disabled={isBusy} onClick={onClose}>
          {t("cancel")}
        </Button>
        <Button type="submit" loading={isBusy} color={act.kind === "remove" ? "red" : undefined}>
          {t(act.kind)}
        </Button>
      </div>
    </form>
  );
}

/** What the dialog does, with the name that was typed. Resolves to the view. */
function useCall(act: ViewAct): (name: string) => Promise<SavedView> {
  const { views } = useTRPCClient();
  return async (name) => {
    if (act.kind === "save") return views.create.mutate({ list: act.list, name, filters: { ...act.filters } });
    const { view } = act;
    if (act.kind === "rename") return views.update.mutate({ view_id: view.view_id, name });
    await views.remove.mutate({ view_id: view.view_id });
    return view;
  };
}
