// Asks the operator for a secret, which is not echoed and may come from a pipe, or for a confirmation, which may not.
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream;
}

/** The line typed, or the first line piped in; empty if there is none. */
export async function askSecret(prompt: string, terminal: Terminal): Promise<string> {
  const isTerminal = terminal.input.isTTY === true;
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: terminal.input, output: hidden, terminal: isTerminal });
  if (isTerminal) terminal.output.write(prompt);
  try {
    return await new Promise<string>((resolve) => {
      lines.once("line", resolve);
      lines.once("close", () => resolve(""));
    });
  } finally {
    lines.close();
    if (isTerminal) terminal.output.write("\n");
  }
}

/** Whether a person at the terminal answers "yes". False without a question if there is no terminal. */
export async function confirm(question: string, { input, output }: Terminal): Promise<boolean> {
  if (input.isTTY !== true) return false;
  const lines = createInterface({ input, output });
  const closed = new Promise<string>((resolve) => lines.once("close", () => resolve("")));
  try {
    return (await Promise.race([lines.question(`${question} Type "yes" to continue: `), closed])).trim() === "yes";
  } finally {
    lines.close();
  }
}
