// How much of a text fits where there is less room than it needs.

/** Letters of a word that may be parted. */
const longWord = 40;

/** How many characters of the text fit; no word is parted unless it is long. `fits` is true up to some length. */
export function fitting(text: string, fits: (part: string) => boolean): number {
  let [least, most] = [0, text.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (fits(text.slice(0, middle))) least = middle;
    else most = middle - 1;
  }
  const atWord = Math.max(text.lastIndexOf(" ", least), text.lastIndexOf("\n", least)) + 1;
  return least === text.length || least - atWord > longWord ? least : atWord;
}
