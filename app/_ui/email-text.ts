// Whether a text looks like an e-mail address. This only catches typing errors; the server decides.
export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text.trim());
