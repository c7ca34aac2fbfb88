// The code of a password thread. Threads load this file as it is, whatever bundles the rest. It is CommonJS because the
// loader of ES modules would cost each thread 4 MiB more.
const { hashSync, verifySync } = require("@node-rs/argon2");

/** Hashes a password with the given Argon2 parameters and returns the PHC string. */
exports.hash = ({ password, cost }) => hashSync(password, cost);

/** Whether the password matches the hash. */
exports.verify = ({ stored, password }) => verifySync(stored, password);
