// The QR code of a request's pay link, as an image for documents and print.
import QRCode from "qrcode";
import { qrAnswer } from "../../_parts/qr-answer";

/** Wide enough for print at a hand's breadth. */
const width = 1024;

export const GET = qrAnswer("image/png", (link, options) => QRCode.toBuffer(link, { ...options, width }));
