// Where the reader goes when the session has ended: the sign-in page, which says what was done.

/** What the reader did that ended the session. */
export const sessionEnds = ["signedOut", "sessionsEnded", "removed", "accountClosed"] as const;
type SessionEnd = (typeof sessionEnds)[number];

/** The sign-in page that says what ended the session. */
export const signInAfter = (end: SessionEnd): string => `/sign-in?ended=${end}`;
