// What each page of the app begins with, as the build lists it.
import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const build = ".next";
const readJson = (text: string) =>
  JSON.parse(text) as { rootMainFiles: string[]; entryJSFiles: Record<string, string[]> };

/** Bytes of the scripts of each page, compressed, by its route. */
export function initialScripts(): Map<string, number> {
  const known = new Map<string, number>();
  const sizeOf = (file: string): number => {
    const size = known.get(file) ?? gzipSync(readFileSync(`${build}/${file}`)).length;
    known.set(file, size);
    return size;
  };
  const { rootMainFiles } = readJson(readFileSync(`${build}/build-manifest.json`, "utf8"));
  const suffix = "/page_client-reference-manifest.js";
  const files = readdirSync(`${build}/server/app`, { recursive: true, encoding: "utf8" });
  const pages = files.filter((file) => `/${file}`.endsWith(suffix));
  return new Map(
    pages.map((path) => {
      // globalThis.__RSC_MANIFEST["/route/page"] = {…};
      const text = readFileSync(`${build}/server/app/${path}`, "utf8");
      const { entryJSFiles } = readJson(text.slice(text.indexOf("] = ") + 4).replace(/;\s*$/, ""));
      const scripts = new Set([...rootMainFiles, ...Object.values(entryJSFiles).flat()]);
      const route = `/${path}`.slice(1, -suffix.length).replaceAll(/\([^)]*\)\/?/g, "");
      return [`/${route}`, [...scripts].reduce((sum, file) => sum + sizeOf(file), 0)];
    }),
  );
}
