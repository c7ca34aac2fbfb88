// What erasing needs from the pipeline, which owns the responses that are stored with Idempotency-Keys.
import { step } from "@/server/kit/step";
import type { Runtime } from "@/server/process/runtime";

/**
 * Erases the personal data of erased customers from one batch of an organization's stored responses, after an id.
 * Resolves to the last id; null after the last batch. Idempotent.
 */
type EraseAnswers = (runtime: Runtime, organizationId: string, after: string) => Promise<string | null>;

/** server/pipeline/stored-answers.ts supplies it. */
export const eraseAnswers = step<EraseAnswers>("stored answers");
