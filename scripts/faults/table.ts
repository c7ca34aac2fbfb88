// The table at the end of npm run faults.
import type { Engine } from "@/e2e/server";
import { type Found, nothingFound } from "./fault";

export interface Row {
  name: string;
  title: string;
  engine: Engine;
  /** What was found, or why the fault was not run. */
  result: Result | string;
}

interface Result extends Found {
  /** How many rounds it was to have. */
  planned: number;
  tookMs: number;
  /** Whether the program was stopped meanwhile, or the fault itself failed. */
  end: "whole" | "stopped" | "broken";
}

/** What is known of faults whose process has died. */
export const brokenOff: Result = { ...nothingFound(), planned: 0, tookMs: 0, end: "broken" };

const head = ["fault", "engine", "rounds", "acknowledged", "lost", "doubled", "wrong", "recovery ms", "took", ""];

const count = (list: readonly string[]) => new Set(list).size;

/** Whether something was lost, doubled, wrong or not finished, or, unless `mayLack`, the fault was not run. */
export const isBad = ({ result }: Row, mayLack = false): boolean =>
  typeof result === "string"
    ? !mayLack
    : result.end !== "whole" || count([...result.lost, ...result.doubled, ...result.wrong]) > 0;

/** The rows in Markdown. */
export function tableOf(rows: readonly Row[]): string {
  const lines = [head, head.map(() => "---"), ...rows.map(cellsOf)];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function cellsOf({ name, title, engine, result }: Row): string[] {
  const first = [`\`${name}\`: ${title}`, engine];
  if (typeof result === "string") return [...first, ...Array(7).fill("–"), `NOT RUN: ${result}`];
  const { rounds, planned, acknowledged, lost, doubled, wrong, recoveryMs, tookMs, end, note = "" } = result;
  const numbers = [acknowledged, count(lost), count(doubled), count(wrong)];
  const ending = { whole: "", stopped: "STOPPED, unfinished. ", broken: "BROKE OFF. " }[end];
  return [
    ...first,
    end === "whole" ? String(rounds) : `${rounds} of ${planned}`,
    ...numbers.map(String),
    recoveryOf(recoveryMs),
    minutesOf(tookMs),
    (ending + note).trim(),
  ];
}

/** A duration in minutes and seconds, such as "2:05 min". */
export function minutesOf(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} min`;
}

/** Median and longest. */
function recoveryOf(milliseconds: readonly number[]): string {
  if (milliseconds.length === 0) return "–";
  const sorted = [...milliseconds].sort((one, other) => one - other);
  const [median = 0, longest = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  return `${Math.round(median)} (longest ${Math.round(longest)})`;
}
