// Reads a secret from the terminal without echoing it, or from a pipe.
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
