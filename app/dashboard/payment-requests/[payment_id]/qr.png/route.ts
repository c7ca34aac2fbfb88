// The QR code of a payment request's link, as PNG for documents and print.
import { qrPng } from "@/server/kit/qr";
import { qrAnswer } from "../../_parts/qr-answer";

/** Enough for print about 8 cm wide. */
const width = 1024;

export const GET = qrAnswer("image/png", (link) => qrPng(link, width));
