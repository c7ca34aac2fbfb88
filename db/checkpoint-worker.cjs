// What the thread of checkpoints runs. Threads load it as it is, whatever bundled the rest.
const Database = require("better-sqlite3");

let connection;

/**
 * Copies what the write-ahead log of the database at `path` holds into the database file, without waiting for anyone, and
 * gives the length of the log in pages. Errors are returned, since one that is thrown to another thread loses its code.
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
  // The log is synced before it is copied, and the database file after. On macOS only this setting reaches the drive.
  opened.pragma("synchronous = FULL");
  opened.pragma("checkpoint_fullfsync = ON");
  return opened;
}
