// The typeface of the dashboard and of sign-in: Inter, served by ourselves. docs/decisions/typeface.md has the reasons.
import localFont from "next/font/local";

/**
 * Letters and digits of Western Europe. Until it has loaded, the page is set in Arial, which Next scales to the same
 * width and line height, so that nothing moves.
 */
const latin = localFont({
  src: "../../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
  weight: "100 900",
  display: "swap",
  variable: "--font-latin",
});

/** Letters of other Latin alphabets, such as ł and ő. Browsers load it only for a page that has one. */
const latinExtended = localFont({
  src: "../../node_modules/@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2",
  weight: "100 900",
  display: "swap",
  variable: "--font-latin-extended",
  preload: false,
  adjustFontFallback: false,
  declarations: [
    {
      prop: "unicode-range",
      value:
        "U+0100-0130,U+0132-0151,U+0154-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF",
    },
  ],
});

/** The class of the `html` element that defines the variables of `base.css`. */
export const typeface = `${latin.variable} ${latinExtended.variable}`;
