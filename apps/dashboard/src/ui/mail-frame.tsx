import { useState } from 'react';
import { MailControls } from './mail-controls.tsx';
import styles from './mail-frame.module.css';
import type { MailScheme } from './mail-scheme.rules.ts';
import { deviceHere, type MailDevice, MailView } from './mail-view.tsx';

/** An email, with the choice of the device and the scheme that it is shown for. */
export function MailFrame({ title, html }: { title: string; html: string }) {
  const [device, setDevice] = useState<MailDevice>(deviceHere);
  const [scheme, setScheme] = useState<MailScheme>('light');
  return (
    <div>
      <div className={styles.controls}>
        <MailControls
          device={device}
          devices={['desktop', 'phone']}
          onDevice={setDevice}
          scheme={scheme}
          onScheme={setScheme}
        />
      </div>
      <div className={styles.view}>
        <MailView title={title} html={html} device={device} scheme={scheme} />
      </div>
    </div>
  );
}
