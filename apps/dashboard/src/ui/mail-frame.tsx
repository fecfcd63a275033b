import { useState } from 'react';
import { Button } from './button.tsx';
import styles from './mail-frame.module.css';

const widths = { desktop: '100%', phone: '24rem' };

/**
 * HTML that others wrote. The empty sandbox gives it no scripts, no forms, no origin and no way to this page; the policy keeps it
 * from telling a server where it was opened.
 */
export function MailFrame({ title, html }: { title: string; html: string }) {
  const [width, setWidth] = useState<keyof typeof widths>('desktop');
  return (
    <div className={styles.stage}>
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
