import type { EmailDetail } from '../../lib/api.ts';
import { Moment } from '../../ui/time.tsx';
import styles from '../../ui/timeline.module.css';
import { timelineOf } from './timeline.rules.ts';

export function Timeline({ email }: { email: EmailDetail }) {
  return (
    <ol className={styles.timeline}>
      {timelineOf(email).map(({ at, title, text, tone }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id, and are only ever appended
        <li key={index} className={`${styles.entry} ${styles[tone]}`}>
          <strong>{title}</strong>
          <Moment at={at} />
          {text && <span className={styles.text}>{text}</span>}
        </li>
      ))}
    </ol>
  );
}
