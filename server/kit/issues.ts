// Turns zod's issues into the description of an `invalid_request`: each invalid field and what is wrong with it.
import type * as z from "zod";
import { limits } from "@/server/kit/limits";
import { plainWords } from "./plain-words";

type Issue = z.core.$ZodIssue;

/** What the schema makes of the input, or what is wrong with it in plain words: see {@link describeIssues}. */
export const parsePlainly = <T extends z.ZodType>(schema: T, input: unknown) =>
  schema.safeParse(input, { error: plainWords });

/** `amount: must be a positive integer; currency: unknown currency "XXQ"`. */
export function describeIssues(issues: readonly Issue[]): string {
  const lines = issues.flatMap(describeIssue);
  return [...new Set(lines)].slice(0, limits.describedFaults.lines).join("; ");
}

function describeIssue(issue: Issue): string[] {
  const at = pathOf(issue.path);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => `${pathOf([...issue.path, key])}: unknown field`);
  }
  if (issue.code === "invalid_union") {
    // The branch that matched deepest is probably the one the caller meant.
    const branch = [...issue.errors].sort((a, b) => deepest(b) - deepest(a))[0];
    if (branch && deepest(branch) > 0) {
      return branch.flatMap((inner) => describeIssue({ ...inner, path: [...issue.path, ...inner.path] }));
    }
  }
  return [at === "" ? issue.message : `${at}: ${messageOf(issue)}`];
}

const deepest = (issues: readonly Issue[]): number => Math.max(0, ...issues.map((issue) => issue.path.length));

const messageOf = ({ message }: Issue): string => message.charAt(0).toLowerCase() + message.slice(1);

function pathOf(path: readonly PropertyKey[]): string {
  return path
    .map((part, i) => (typeof part === "number" ? `[${part}]` : `${i === 0 ? "" : "."}${printable(String(part))}`))
    .join("");
}

/** Field names come from the request, so they are shortened and their control characters escaped. */
const printable = (name: string): string =>
  JSON.stringify(name.slice(0, limits.describedFaults.fieldName)).slice(1, -1);
