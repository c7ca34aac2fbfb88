// What a thread of the password pool runs. Threads load it as it is, whatever bundled the rest; as CommonJS, since the
// loader of modules would cost each thread 4 MiB more.
const { hashSync, verifySync } = require("@node-rs/argon2");

/** The PHC string of a password, by the given parameters of Argon2. */
exports.hash = ({ password, cost }) => hashSync(password, cost);

/** Whether the password is the one that was hashed. */
exports.verify = ({ stored, password }) => verifySync(stored, password);
