// A draft's form that saves itself: wires it to the API, and to the question before the page is left.
"use client";
import { useEffect, useRef, useState } from "react";
import { useTRPCClient } from "@/app/_trpc/client";
import { isDecided } from "@/app/_trpc/idempotency-key";
import { refusalCode } from "@/app/_trpc/refusal";
import { useLeaveQuestion } from "@/app/_ui/leave-question";
import { versionTag } from "@/app/_ui/version-tag";
import { contentOf } from "./content-values";
import { DraftSaver, type Saving } from "./draft-saver";
import type { RequestState } from "./new-payment";

/** Another try may succeed, unless the server has decided, or found a field invalid. */
const mayPass = (error: unknown): boolean => !isDecided(error) && !refusalCode(error)?.startsWith("invalid_");

export function useDraftSaving(
  { id, updatedAt }: { id: string; updatedAt: string },
  locale: string,
  { form, typed, isDraft }: RequestState,
) {
  const api = useTRPCClient();
  const [state, setState] = useState<{ saving: Saving; error: unknown }>({ saving: "saved", error: null });
  const saver = useRef<DraftSaver>(null);
  const version = useRef(updatedAt);
  function read() {
    isDraft.current = true;
    const isValid = form.isValid();
    isDraft.current = false;
    return isValid ? contentOf(form.getValues(), locale) : null;
  }
  saver.current ??= new DraftSaver(contentOf(typed, locale), {
    read,
    mayPass,
    // No Idempotency-Key: repeating it changes nothing.
    async send(changes) {
      const saved = await api.payments.update.mutate({ payment_id: id, ...changes });
      version.current = saved.updated_at;
    },
    show: (saving, error) => setState({ saving, error }),
  });
  const own = saver.current;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was typed decides, and nothing else.
  useEffect(() => own.changed(), [typed]);
  useEffect(
    () => () => {
      own.close();
      own.flush();
    },
    [own],
  );
  // A call goes on when another page of the dashboard opens, but perhaps not when the browser leaves the dashboard.
  useLeaveQuestion(true, (isUnload) => {
    own.flush();
    return isUnload ? own.hasUnsaved() : read() === null || isProblem(state.saving);
  });
  const tag = () => versionTag(version.current);
  return { ...state, tag, flush: () => own.flush(), save: () => own.save() };
}

/** Whether the last call failed. */
export const isProblem = (saving: Saving): boolean => saving === "failed" || saving === "refused";
