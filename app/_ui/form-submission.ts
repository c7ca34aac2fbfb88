// What every form does on submit: show problems, make one call at a time, keep what was typed.
"use client";
import type { UseFormReturnType } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type MouseEvent, useEffect, useRef, useState, useTransition } from "react";
import { useRefusalText } from "../_trpc/refusal";
import { markHandled } from "./early-submission";
import type { FieldProblem } from "./problem-summary";

/** The field's id is its name in the form. */
const problemsOf = (errors: Record<string, unknown>): FieldProblem[] =>
  Object.entries(errors).flatMap(([field, text]) => (typeof text === "string" ? [{ field, text }] : []));

/**
 * Pressing the button does not move the focus. Otherwise the field would lose it, show its problem and push the button
 * away from under the pointer, and the click would be lost.
 */
function keepFocus(event: MouseEvent) {
  if (event.target instanceof Element && event.target.closest("[type=submit]")) event.preventDefault();
}

interface Options {
  /** The field that a refusal is about; null if it is about none. If the form has the field, the refusal is shown there. */
  fieldOf?(error: unknown): string | null;
}

/**
 * Wires an uncontrolled Mantine form to `send`: spread `formProps` into the form and `summary` into
 * {@link ProblemSummary}. Fields are named in the form as they are in `Values`. The form stays busy until the result of
 * `onDone` is visible, such as another page, so that nobody sends it a second time on a slow connection.
 */
export function useFormSubmission<Values extends Record<string, unknown>, Answer>(
  form: UseFormReturnType<Values>,
  send: (values: Values) => Promise<Answer>,
  onDone: (answer: Answer) => void,
  { fieldOf }: Options = {},
) {
  const refusalText = useRefusalText();
  const element = useRef<HTMLFormElement>(null);
  const [attempt, setAttempt] = useState(0);
  const [problems, setProblems] = useState<FieldProblem[]>([]);
  const [refused, setRefused] = useState<FieldProblem | null>(null);
  const failed = () => setAttempt((count) => count + 1);
  const [isLeaving, startLeaving] = useTransition();
  const mutation = useMutation({
    mutationFn: send,
    onSuccess: (answer) => startLeaving(() => onDone(answer)),
    onError(error) {
      const field = fieldOf?.(error) ?? null;
      const isShown = field !== null && element.current?.querySelector(`[id="${field}"]`) != null;
      setRefused(isShown ? { field, text: refusalText(error) } : null);
      failed();
    },
  });
  const isSending = mutation.isPending || isLeaving;
  // After the summary has taken the focus: a field that loses it validates itself, which removes the error.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each refusal.
  useEffect(() => {
    if (refused) form.setFieldError(refused.field, refused.text);
  }, [refused]);

  /** Reads the fields themselves, so that text typed or filled in before this script ran is included. */
  function takeOver() {
    const known = form.getValues();
    for (const [name, text] of element.current ? new FormData(element.current) : []) {
      if (Object.hasOwn(known, name) && known[name] !== text) {
        form.setFieldValue(name, text as never, { forceUpdate: false });
      }
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; afterwards the fields report their changes.
  useEffect(() => {
    takeOver();
    if (element.current) markHandled(element.current);
  }, []);

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (isSending) return;
    takeOver();
    const { hasErrors, errors } = form.validate();
    setProblems(problemsOf(errors));
    setRefused(null);
    if (!hasErrors) return mutation.mutate(form.getValues());
    mutation.reset();
    failed();
  }

  return {
    // POST, so that a password never appears in an address. Submitted before this script runs, the form waits for it.
    formProps: { method: "post", noValidate: true, ref: element, onSubmit, onMouseDown: keepFocus },
    isSending,
    summary: { fields: refused ? [refused] : problems, refusal: refused ? null : mutation.error, attempt },
  };
}
