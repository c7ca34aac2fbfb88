// Names of languages, in the reader's.

/**
 * The name of a language (BCP 47 tag) in another: "Deutsch (Österreich)", like "Deutsch (Schweiz)". Without this, some
 * would have the name of a dialect, such as "Österreichisches Deutsch".
 */
export const languageName = (tag: string, language: string): string =>
  new Intl.DisplayNames(language, { type: "language", languageDisplay: "standard" }).of(tag) ?? tag;
