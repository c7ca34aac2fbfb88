// The code of the checkpoint thread. Threads load this file as it is, whatever bundles the rest.
const Database = require("better-sqlite3");

let connection;

/**
 * Copies the write-ahead log of the database at `path` into the database file without waiting for other connections.
 * Returns the length of the log in pages. Errors are returned, because an error thrown across threads loses its code.
 */
module.exports = (path) => {
  try {
    connection ??= open(path);
    const [{ log }] = connection.pragma("wal_checkpoint(PASSIVE)");
    return { pages: log };
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
