// The QR code of a pay link, shown and to download: <QrCode paymentId={payment.payment_id} />. Its children, other ways
// to pass the link on, are above the downloads.
import { IconDownload } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import classes from "./qr-code.module.css";

const size = 144;

export function QrCode({ paymentId, children }: { paymentId: string; children?: ReactNode }) {
  const t = useTranslations("payLink");
  const base = `/dashboard/payment-requests/${paymentId}/qr`;
  return (
    <figure className={classes.figure}>
      {/* biome-ignore lint/performance/noImgElement: generated for one payment request, with nothing to optimize. */}
      <img src={`${base}.svg`} width={size} height={size} alt={t("qr")} className={classes.code} />
      <figcaption className={classes.downloads}>
        {children}
        {(["svg", "png"] as const).map((format) => (
          <a key={format} href={`${base}.${format}`} download={`${paymentId}.${format}`} className={classes.download}>
            <IconDownload size={16} aria-hidden />
            {t("download", { format: format.toUpperCase() })}
          </a>
        ))}
      </figcaption>
    </figure>
  );
}
