import { useWidth } from '../lib/use-width.ts';
import { withMailDefaults } from './mail-defaults.rules.ts';
import { inScheme, type MailScheme } from './mail-scheme.rules.ts';
import styles from './mail-view.module.css';

export type MailDevice = 'desktop' | 'phone';

/** In CSS pixels: the column of most emails with its margin, and the screen of most phones. */
const widths: Readonly<Record<MailDevice, number>> = { desktop: 680, phone: 375 };

/** The device that a preview begins with: as wide as this window allows. */
export const deviceHere = (): MailDevice =>
  window.matchMedia('(max-width: 40rem)').matches ? 'phone' : 'desktop';

interface MailViewProps {
  title: string;
  html: string;
  device: MailDevice;
  scheme: MailScheme;
}

/**
 * Shows untrusted HTML in the width of a device, scaled down where there is less space, as high as its container. The empty
 * sandbox blocks scripts, forms and access to this page, and gives it an opaque origin; the referrer policy hides the address
 * of this page from servers.
 */
export function MailView({ title, html, device, scheme }: MailViewProps) {
  const [stage, space] = useWidth<HTMLDivElement>(widths.desktop);
  const width = device === 'phone' ? widths.phone : Math.max(space, widths.desktop);
  const scale = Math.min(1, space / width);
  return (
    <div ref={stage} className={styles.stage}>
      <div className={styles.screen} style={{ width: width * scale }}>
        <iframe
          className={styles.frame}
          style={{ width, height: `${100 / scale}%`, scale }}
          data-scheme={scheme}
          title={title}
          sandbox=""
          referrerPolicy="no-referrer"
          srcDoc={withMailDefaults(inScheme(html, scheme))}
        />
      </div>
    </div>
  );
}
