// What the thread of checkpoints runs. Threads load it as it is, whatever bundled the rest.
const Database = require("better-sqlite3");

let connection;

/**
 * Copies what the write-ahead log of the database at `path` holds into the database file, without waiting for anyone, and
 * gives the length of the log in pages. An error is a result too: passed between threads, it would lose its code.
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
  // Log and database file reach the disk in this order, and macOS has its drive write them.
  opened.pragma("synchronous = FULL");
  opened.pragma("checkpoint_fullfsync = ON");
  return opened;
}
