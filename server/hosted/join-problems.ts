// What can be wrong with the form of a new user, for the pages that have one.
import { userName } from "@/server/domains/users/schema";
import type { ErrorCode } from "@/server/kit/errors";
import { email as emailField } from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { newPassword } from "@/server/secrets/password";
import type { JoinProblem } from "./join-document";

interface Fields {
  /** Absent where the address is not typed. */
  email?: string;
  name: string;
  password: string;
}

/** The first problem that the fields themselves show. An empty name is none. */
export function problemOfFields({ email, name, password }: Fields): JoinProblem | null {
  if (email !== undefined && !emailField.safeParse(email).success) return "email";
  if (name.trim() !== "" && !userName.safeParse(name.trim()).success) return "name";
  if (newPassword.safeParse(password).success) return null;
  return [...password].length < limits.password.min ? "short" : "long";
}

/** The problem that a refusal names; null for a refusal that the form does not explain. */
export function problemOfFailure(code: ErrorCode): JoinProblem | null {
  if (code === "weak_password") return "weak";
  if (code === "unavailable") return "busy";
  return code === "rate_limited" ? "often" : null;
}
