import { useState } from 'react';
import { Button } from './button.tsx';
import styles from './mail-frame.module.css';

const widths = { desktop: '100%', phone: '24rem' };

interface MailFrameProps {
  title: string;
  html: string;
  /** As high as its container. */
  fill?: boolean;
}

/**
 * Shows untrusted HTML. The empty sandbox blocks scripts, forms and access to this page, and gives it an opaque
 * origin; the referrer policy hides the address of this page from servers.
 */
export function MailFrame({ title, html, fill }: MailFrameProps) {
  const [width, setWidth] = useState<keyof typeof widths>('desktop');
  return (
    <div className={`${styles.stage} ${fill ? styles.fill : ''}`}>
      <div className={styles.widths}>
        {(['desktop', 'phone'] as const).map((name) => (
          <Button key={name} kind="quiet" small aria-pressed={width === name} onClick={() => setWidth(name)}>
            {name === 'desktop' ? 'Desktop' : 'Phone'}
          </Button>
        ))}
      </div>
      <iframe
        className={styles.frame}
        style={{ maxWidth: widths[width] }}
        title={title}
        sandbox=""
        referrerPolicy="no-referrer"
        srcDoc={html}
      />
    </div>
  );
}
