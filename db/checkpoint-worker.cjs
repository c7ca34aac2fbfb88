// The code of the checkpoint thread. Threads load this file as it is, whatever bundles the rest.
const Database = require("better-sqlite3");

let connection;

/**
 * Copies the write-ahead log of the database at `path` into the database file without waiting for other connections;
 * with `empties`, also cuts the log to nothing, which waits for them for a moment. Returns the length of the log in
 * pages: -1 if it was not emptied. Errors are returned, because an error thrown across threads loses its code.
 */
module.exports = ({ path, empties }) => {
  try {
    connection ??= open(path);
    connection.pragma(`busy_timeout = ${empties ? 200 : 0}`);
    const [{ busy, log }] = connection.pragma(`wal_checkpoint(${empties ? "TRUNCATE" : "PASSIVE"})`);
    return { pages: empties && busy ? -1 : log };
  } catch ({ code, message }) {
    return { error: { code, message } };
  }
};

function open(path) {
  const opened = new Database(path, { fileMustExist: true, timeout: 0 });
  // SQLite syncs the log before the copy and the database file after it. On macOS only this setting reaches the drive.
  opened.pragma("synchronous = FULL");
  opened.pragma("checkpoint_fullfsync = ON");
  return opened;
}
