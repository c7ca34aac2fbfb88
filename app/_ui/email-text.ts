// Whether a typed text looks like an e-mail address; the server decides, this only catches slips.
export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text.trim());
