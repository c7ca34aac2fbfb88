// The largest bodies: small everywhere, except where a logo is uploaded.
import type { IncomingMessage } from "node:http";
import { expect, it } from "vitest";
import { limits } from "@/server/kit/limits";
import { checkUpload } from "./body-bytes";
import { readBody } from "./json-body";
import { faultOfPageRequest } from "./page-requests";

const upload = "/api/trpc/accounts.setLogo";

const faultOf = (path: string, bytes: number) =>
  faultOfPageRequest({ method: "POST", headers: { "content-length": String(bytes) } } as IncomingMessage, path);

it("only an upload may be larger than other bodies, up to its own bound", () => {
  expect(faultOf(upload, limits.uploadBytes)).toBeNull();
  expect(faultOf(upload, limits.uploadBytes + 1)).toMatchObject({ code: "payload_too_large" });
  for (const path of ["/api/trpc/accounts.update", `${upload}s`, `${upload}/x`]) {
    expect(faultOf(path, limits.bodyBytes)).toBeNull();
    expect(faultOf(path, limits.bodyBytes + 1)).toMatchObject({ code: "payload_too_large" });
  }
});

it("only calls and what a preview shows are posted to pages", () => {
  for (const path of ["/dashboard/payment-requests/preview", "/dashboard/payment-requests/preview/invoice"]) {
    expect(faultOf(path, limits.bodyBytes)).toBeNull();
    expect(faultOf(path, limits.bodyBytes + 1)).toMatchObject({ code: "payload_too_large" });
  }
  for (const path of ["/dashboard/payment-requests/preview/x", "/dashboard/payment-requests", "/dashboard"]) {
    expect(faultOf(path, 0)).toMatchObject({ code: "method_not_allowed" });
  }
});

it("an upload has room for the largest image in base64", () => {
  const around = JSON.stringify({ account_id: "x".repeat(limits.id), image: "" }).length;
  expect(limits.uploadBytes).toBeGreaterThanOrEqual(limits.logo.characters + around);
});

it("is refused while it arrives, where no length was announced", async () => {
  const sent = async function* (bytes: number) {
    yield Buffer.alloc(bytes);
  };
  expect((await readBody(sent(300_000), limits.uploadBytes)).length).toBe(300_000);
  await expect(readBody(sent(300_000))).rejects.toMatchObject({ message: "The body is larger than 64 KiB." });
});

it("is an image and a small body around it, and nothing else that is large", () => {
  const fill = (part: string) => Buffer.from(`{"a":[${part.repeat(limits.uploadBytes / part.length - 10)}{}]}`);
  for (const part of ["{},", "[[", "1,", '"",', '"\\n",']) {
    expect(() => checkUpload(fill(part))).toThrow(expect.objectContaining({ code: "payload_too_large" }));
  }
  const image = "A".repeat(limits.logo.characters);
  expect(() => checkUpload(Buffer.from(JSON.stringify({ account_id: "acct", image })))).not.toThrow();
});
