// Draws a QR code as SVG, without waiting: one square for each dark module.
import { create } from "qrcode";

/** A light margin of four modules, as ISO/IEC 18004 requires; readable with 7 % of it covered. */
const margin = 4;

/** The SVG document of a QR code with this text. */
export function qrSvg(text: string): string {
  const { modules } = create(text, { errorCorrectionLevel: "M" });
  const size = modules.size + 2 * margin;
  let path = "";
  for (let y = 0; y < modules.size; y++) {
    for (let x = 0; x < modules.size; x++) if (modules.get(y, x)) path += `M${x + margin} ${y + margin}h1v1h-1z`;
  }
  const box = `viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${box}><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`;
}
