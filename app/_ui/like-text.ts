// Texts that people type after a model on the page.

/**
 * Whether two texts look alike: browsers show several spaces as one, and keyboards have one dash and straight quotation
 * marks.
 */
export const looksLike = (text: string, model: string): boolean => plain(text) === plain(model);

const plain = (text: string): string =>
  text
    .normalize("NFKC")
    .replaceAll(/\p{Pd}/gu, "-")
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”„]/g, '"')
    .replaceAll(/\s+/g, " ")
    .trim();
