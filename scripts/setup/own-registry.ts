// A registry of packages on the loopback interface, for tests of what the set-up installs with the real npm.
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";

/** A package: its own package.json is made from its name and `manifest`; `files` are executable. */
export type Package = { name: string; manifest?: object; files?: Record<string, string> };

const version = "1.0.0";
const blockSize = 512;

/** One file of an archive (POSIX.1-1988, ustar). */
function entryOf(name: string, text: string): Buffer {
  const content = Buffer.from(text);
  const header = Buffer.alloc(blockSize);
  const octal = (value: number, length: number) => value.toString(8).padStart(length - 1, "0");
  header.write(`package/${name}`, 0);
  header.write(octal(0o755, 8), 100);
  header.write(octal(content.length, 12), 124);
  header.write("        0", 148);
  header.write("ustar\u000000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 7)}\0 `, 148);
  return Buffer.concat([header, content, Buffer.alloc(-content.length & (blockSize - 1))]);
}

function archiveOf({ name, manifest, files = {} }: Package): Buffer {
  const all = { "package.json": JSON.stringify({ name, version, ...manifest }), ...files };
  const entries = Object.entries(all).map(([file, text]) => entryOf(file, text));
  return gzipSync(Buffer.concat([...entries, Buffer.alloc(2 * blockSize)]));
}

const integrityOf = (archive: Buffer) => `sha512-${createHash("sha512").update(archive).digest("base64")}`;

/** A lockfile of these packages, and the package.json to it. */
export function lockfileOf(packages: readonly Package[]) {
  const dependencies = Object.fromEntries(packages.map(({ name }) => [name, version]));
  const locked = packages.map((each) => {
    const hasInstallScript = JSON.stringify(each.manifest ?? {}).includes('"install"') || undefined;
    return [`node_modules/${each.name}`, { version, integrity: integrityOf(archiveOf(each)), hasInstallScript }];
  });
  const root = { name: "installed", version };
  return {
    manifest: { ...root, dependencies },
    lockfile: {
      ...root,
      lockfileVersion: 3,
      requires: true,
      packages: { "": { ...root, dependencies }, ...Object.fromEntries(locked) },
    },
  };
}

/** Serves the packages. Resolves to the registry's address and a function that stops it. */
export async function startRegistry(packages: readonly Package[]) {
  const server = createServer(({ url = "" }, response) => {
    const [, name, archive] = decodeURIComponent(url).split("/");
    const found = packages.find((each) => each.name === name);
    if (found === undefined) return response.writeHead(404).end("{}");
    if (archive !== undefined) return response.end(archiveOf(found));
    const dist = { tarball: `${address()}/${name}/archive.tgz`, integrity: integrityOf(archiveOf(found)) };
    const versions = { [version]: { name, version, ...found.manifest, dist } };
    return response.end(JSON.stringify({ name, "dist-tags": { latest: version }, versions }));
  });
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: address(), stop: () => server.close() };
}
