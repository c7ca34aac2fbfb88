// The QR code of a payment request's link, as SVG.
import { qrSvg } from "@/server/kit/qr";
import { qrAnswer } from "../../_parts/qr-answer";

export const GET = qrAnswer("image/svg+xml", qrSvg);
