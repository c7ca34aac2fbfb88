// Why a job failed, for the organization's admins: never a statement, a value or another system's text.
import { engineCode } from "@/db/errors";
import { Failure } from "@/server/kit/errors";
import { limits } from "@/server/kit/limits";

/**
 * The reason that may be shown. Our own messages are shown unchanged. Of all other errors only the name and code are,
 * because libraries put statements, values and parts of answers into their messages. The log has the rest.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof Failure) return error.code;
  if (!(error instanceof Error)) return "Unknown error";
  const code = engineCode(error);
  const isOurs = error.constructor === Error && code === undefined && error.cause === undefined;
  const text = isOurs ? error.message : [error.name, code].filter((part) => part !== undefined).join(" ");
  return text.slice(0, limits.jobError);
}
