// The process that decodes an uploaded image: what it is started with.
import { spawn } from "node:child_process";
import sharp from "sharp";
import { afterEach, expect, it, vi } from "vitest";
import { readLogo } from "./logo-image";

vi.mock("node:child_process", async (original) => {
  const real = await original<typeof import("node:child_process")>();
  return { ...real, spawn: vi.fn(real.spawn) };
});

afterEach(() => vi.unstubAllEnvs());

it("has no secret of this process in its environment or its arguments", async () => {
  const secret = "c2VjcmV0IG9mIHRoZSBzZXJ2ZXIgdGhhdCBsZWFrcw==";
  vi.stubEnv("SECRET_KEY", secret);
  const image = await sharp({ create: { width: 8, height: 8, channels: 3, background: "#fff" } })
    .png()
    .toBuffer();
  expect(await readLogo(image, "a", 60_000)).toMatchObject({ type: "image/png" });
  const calls = vi.mocked(spawn).mock.calls;
  expect(calls).toHaveLength(1);
  expect(calls[0]?.[2]).toMatchObject({ env: { NODE_ENV: "production" } });
  expect(Object.keys(calls[0]?.[2]?.env ?? {})).toEqual(["NODE_ENV"]);
  expect(JSON.stringify(calls)).not.toContain(secret);
});
