// Random text of any code points, half of them ASCII.
import fc from "fast-check";

const character = fc
  .oneof(fc.integer({ min: 0, max: 0x7f }), fc.integer({ min: 0, max: 0x10_ffff }))
  .map((point) => String.fromCodePoint(point));

/**
 * Text of at most `maxLength` code points; half of a surrogate pair may stand alone. The unit "binary" of fast-check
 * takes a second to list all of them.
 */
export const anyText = (maxLength: number): fc.Arbitrary<string> => fc.string({ unit: character, maxLength });
