// Mantine's theme: its variables point to the tokens, which also fixes the contrast of its defaults (WCAG 1.4.3).
import { type CSSVariablesResolver, createTheme } from "@mantine/core";

/** Hints are below their fields, so that fields beside each other are at the same height. */
const order = ["label", "input", "description", "error"];
const field = { defaultProps: { size: "md", labelProps: { className: "field-label" }, inputWrapperOrder: order } };

export const theme = createTheme({
  primaryColor: "indigo",
  primaryShade: { light: 7, dark: 8 },
  autoContrast: true,
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  fontFamily: "var(--font-sans)",
  fontFamilyMonospace: "var(--font-mono)",
  headings: { fontFamily: "var(--font-sans)", fontWeight: "var(--weight-bold)" },
  components: {
    Button: { defaultProps: { size: "md" } },
    TextInput: field,
    Textarea: field,
    PasswordInput: field,
    NativeSelect: field,
    Select: field,
  },
});

const both = {
  "--mantine-color-body": "var(--color-page)",
  "--mantine-color-text": "var(--color-text)",
  "--mantine-color-bright": "var(--color-text)",
  "--mantine-color-dimmed": "var(--color-text-dimmed)",
  "--mantine-color-placeholder": "var(--color-text-placeholder)",
  "--mantine-color-error": "var(--color-negative)",
  "--mantine-color-anchor": "var(--color-link)",
  "--mantine-color-default": "var(--color-surface)",
  "--mantine-color-default-hover": "var(--color-surface-hover)",
  "--mantine-color-default-color": "var(--color-text)",
  "--mantine-color-default-border": "var(--color-line-strong)",
  "--mantine-primary-color-filled": "var(--color-primary)",
  "--mantine-primary-color-filled-hover": "var(--color-primary-hover)",
  "--mantine-color-indigo-filled": "var(--color-primary)",
  "--mantine-color-indigo-filled-hover": "var(--color-primary-hover)",
  "--mantine-color-red-filled": "var(--color-danger)",
  "--mantine-color-red-filled-hover": "var(--color-danger-hover)",
  "--mantine-color-indigo-light-color": "var(--color-link)",
  "--mantine-color-indigo-light-hover": "var(--color-surface-hover)",
};

/** The variables of both schemes; the tokens themselves distinguish light from dark. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({ variables: {}, light: both, dark: both });
