// What every form does when it is sent: refuse what is wrong, call the server once at a time, keep what was typed.
"use client";
import type { UseFormReturnType } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useRefusalText } from "../_trpc/refusal";
import type { FieldProblem } from "./problem-summary";

/** The field's id is its name in the form. */
const problemsOf = (errors: Record<string, unknown>): FieldProblem[] =>
  Object.entries(errors).flatMap(([field, text]) => (typeof text === "string" ? [{ field, text }] : []));

/** Wires a Mantine form to `send`; spread `summary` into {@link ProblemSummary}. */
export function useFormSubmission<Values extends Record<string, unknown>, Answer>(
  form: UseFormReturnType<Values>,
  send: (values: Values) => Promise<Answer>,
  onDone: (answer: Answer) => void,
) {
  const refusalText = useRefusalText();
  const [attempt, setAttempt] = useState(0);
  const [problems, setProblems] = useState<FieldProblem[]>([]);
  const failed = () => setAttempt((count) => count + 1);
  const mutation = useMutation({ mutationFn: send, onSuccess: onDone, onError: failed });

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (mutation.isPending) return;
    const { hasErrors, errors } = form.validate();
    setProblems(problemsOf(errors));
    if (!hasErrors) return mutation.mutate(form.getValues());
    mutation.reset();
    failed();
  }

  return {
    onSubmit,
    isSending: mutation.isPending,
    summary: { fields: problems, refusal: mutation.isError ? refusalText(mutation.error) : null, attempt },
  };
}
