// What a thread of the password pool runs. Plain JavaScript: threads load it as it is, whatever bundled the rest.
import { hashSync, verifySync } from "@node-rs/argon2";

/** The PHC string of a password, by the given parameters of Argon2. */
export const hash = ({ password, cost }) => hashSync(password, cost);

/** Whether the password is the one that was hashed. */
export const verify = ({ stored, password }) => verifySync(stored, password);
