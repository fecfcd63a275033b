import type { WebhookDelivery } from '../../../lib/api.ts';
import { Fold } from '../../../ui/fold.tsx';
import { ScrollText } from '../../../ui/scroll-text.tsx';
import { Moment } from '../../../ui/time.tsx';
import styles from '../../../ui/timeline.module.css';
import { attemptInWords } from './delivery-state.rules.ts';

/** The attempts of a delivery with the endpoint's answers, oldest first. */
export function AttemptList({ attempts }: Pick<WebhookDelivery, 'attempts'>) {
  if (attempts.length === 0) return <p>No attempts yet.</p>;
  return (
    <ol className={styles.timeline}>
      {attempts.map((attempt, index) => (
        <li
          key={attempt.at}
          className={`${styles.entry} ${attempt.error === null ? styles.good : styles.bad}`}
        >
          <strong>{attemptInWords(attempt)}</strong>
          <Moment at={attempt.at} />
          {attempt.error !== null && <span className={styles.text}>{attempt.error}</span>}
          {attempt.response && (
            <Fold className={styles.text} summary="Answer">
              <ScrollText label={`Answer to attempt ${index + 1}`} wrap>
                {attempt.response}
              </ScrollText>
            </Fold>
          )}
        </li>
      ))}
    </ol>
  );
}
