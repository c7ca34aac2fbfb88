// Ends the program with a sentence on a Node that the product does not support. It is the first import of each program:
// on an older one, the SQLite driver would end the process without a word.

/** The oldest supported version of each line, and the first line from which on all are: `engines` in package.json. */
const oldest = { major: 22, minor: 20, from: 24 };

/** Whether the product supports this version of Node ("22.20.0"). */
export function isSupportedNode(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major >= oldest.from || (major === oldest.major && minor >= oldest.minor);
}

if (!isSupportedNode(process.versions.node)) {
  const wanted = `Node ${oldest.major}.${oldest.minor} or a later ${oldest.major}, or ${oldest.from} or newer`;
  process.stderr.write(
    `${wanted} is needed; this is ${process.version}. npm start gets one by itself where npm has it.\n`,
  );
  process.exit(1);
}
