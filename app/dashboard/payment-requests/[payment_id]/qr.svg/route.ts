// The QR code of a payment request's link, as SVG.
import QRCode from "qrcode";
import { qrAnswer } from "../../_parts/qr-answer";

export const GET = qrAnswer("image/svg+xml", (link, options) => QRCode.toString(link, { ...options, type: "svg" }));
