// Makes a logo of an uploaded image. Nothing of the file survives but its pixels, and this process never decodes it.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { logoTypes } from "@/db/schema/values";
import { Rounds } from "@/server/fairness/rounds";
import { protocolFailure } from "@/server/kit/errors";
import { limits } from "@/server/kit/limits";

/** From the start of the process to its answer; a large image takes about a second. */
const longestMs = 20_000;

const { bytes: mostBytes, pixels, side, width, height, storedBytes } = limits.logo;

const answerOf = z.union([
  z.strictObject({ problem: z.enum(["image_unreadable", "image_too_large"]) }),
  z.strictObject({
    logo: z.strictObject({
      type: z.enum(logoTypes),
      width: z.int().positive().max(width),
      height: z.int().positive().max(height),
      image: z.base64().max(4 * Math.ceil(storedBytes / 3)),
    }),
  }),
]);

type Answer = z.output<typeof answerOf>;

/** A logo that is ready to be stored and served: at most 480 × 160 pixels and 12 KiB, without metadata. */
type LogoImage = Extract<Answer, { logo: unknown }>["logo"] & {
  /** SHA-256 of the image, hexadecimal. */
  hash: string;
};

type Problem = Extract<Answer, { problem: unknown }>["problem"];

const rounds = new Rounds();

/**
 * The logo for an uploaded file, or why there is none. PNG and JPEG are recognized by their content, and are upright
 * and in sRGB afterwards. One is read at a time, those of different callers in turn. Refuses with `unavailable` if
 * reading takes longer than `withinMs`.
 */
export async function readLogo(file: Buffer, caller: string, withinMs = longestMs): Promise<LogoImage | Problem> {
  if (file.length > mostBytes) return "image_too_large";
  if (!isPngOrJpeg(file)) return "image_unreadable";
  await rounds.take(caller);
  try {
    const answer = await encode(file, withinMs);
    if ("problem" in answer) return answer.problem;
    const { logo } = answer;
    return { ...logo, hash: createHash("sha256").update(logo.image, "base64").digest("hex") };
  } finally {
    rounds.release(caller);
  }
}

const signatures = [Buffer.from("89504e470d0a1a0a", "hex"), Buffer.from("ffd8ff", "hex")];

const isPngOrJpeg = (file: Buffer): boolean =>
  signatures.some((signature) => file.subarray(0, signature.length).equals(signature));

/** The answer of the encoder. One that crashed, or answered anything else, says that the image cannot be read. */
function encode(file: Buffer, withinMs: number): Promise<Answer> {
  const bounds = JSON.stringify({ pixels, side, width, height, storedBytes });
  const late = AbortSignal.timeout(withinMs);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, bounds], {
      // It inherits no settings, so its environment has no secret.
      env: { NODE_ENV: "production" },
      stdio: ["pipe", "pipe", "ignore"],
      signal: late,
      killSignal: "SIGKILL",
    });
    yieldTo(child.pid);
    let text = "";
    child.stdout.setEncoding("latin1").on("data", (part: string) => {
      text += part;
      if (text.length > limits.bodyBytes) child.kill("SIGKILL");
    });
    // It may end before it has read everything.
    child.stdin.on("error", () => {});
    child.stdin.end(file);
    child.on("error", (error) => {
      reject(late.aborted ? protocolFailure("unavailable", "Reading the image took too long.") : error);
    });
    child.on("close", () => resolve(parsed(text)));
  });
}

/** Requests go before images. */
function yieldTo(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already, or the system does not allow it.
  }
}

function parsed(text: string): Answer {
  try {
    const answer = answerOf.parse(JSON.parse(text));
    if ("problem" in answer || isPngOrJpeg(Buffer.from(answer.logo.image, "base64"))) return answer;
  } catch {
    // Incomplete, or not ours.
  }
  return { problem: "image_unreadable" };
}

const program = join(process.cwd(), "server/domains/accounts/logo-encoder.cjs");
