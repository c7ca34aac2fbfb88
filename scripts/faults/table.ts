// The table at the end of npm run faults.
import type { Engine } from "@/e2e/server";
import type { Found } from "./fault";

export interface Row {
  name: string;
  engine: Engine;
  /** What was found, or why the fault was not run. */
  result: Found | string;
}

const headings = ["fault", "engine", "rounds", "acknowledged", "lost", "doubled", "wrong", "recovery ms", ""];

const count = (list: readonly string[]) => new Set(list).size;

/** Whether something was lost, doubled or wrong. */
export const isBad = ({ result }: Row): boolean =>
  typeof result !== "string" && count([...result.lost, ...result.doubled, ...result.wrong]) > 0;

/** The rows in Markdown. */
export function tableOf(rows: readonly Row[]): string {
  const lines = [headings, headings.map(() => "---"), ...rows.map(cellsOf)];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function cellsOf({ name, engine, result }: Row): string[] {
  if (typeof result === "string") return [name, engine, "–", "–", "–", "–", "–", "–", `not run: ${result}`];
  const { rounds, acknowledged, lost, doubled, wrong, recoveryMs, note = "" } = result;
  const numbers = [rounds, acknowledged, count(lost), count(doubled), count(wrong)];
  return [name, engine, ...numbers.map(String), recoveryOf(recoveryMs), note];
}

/** Median and longest. */
function recoveryOf(milliseconds: readonly number[]): string {
  if (milliseconds.length === 0) return "–";
  const sorted = [...milliseconds].sort((one, other) => one - other);
  const [median = 0, longest = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  return `${Math.round(median)} (longest ${Math.round(longest)})`;
}
