// The QR code of a request's pay link, as a vector graphic.
import QRCode from "qrcode";
import { qrAnswer } from "../../_parts/qr-answer";

export const GET = qrAnswer("image/svg+xml", (link, options) => QRCode.toString(link, { ...options, type: "svg" }));
