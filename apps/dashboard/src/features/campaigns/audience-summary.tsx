import { exclusions } from '@postrider/core/mail/eligibility/contract';
import { formatCount, shareOf } from '../../lib/format.ts';
import { type AudienceParts, audienceInWords } from './audience.rules.ts';
import styles from './audience-summary.module.css';

interface AudienceSummaryProps {
  audience: AudienceParts;
  /** A newer count is on its way. */
  busy?: boolean;
}

/** Who will receive a campaign, as a sentence and as a bar. The sentence says all that the bar shows. */
export function AudienceSummary({ audience, busy }: AudienceSummaryProps) {
  const { matched, willSend, skipped } = audience;
  const parts = [
    { name: 'reached', count: willSend },
    ...exclusions.map((name) => ({ name, count: skipped[name] ?? 0 })),
  ].filter(({ count }) => count > 0);
  return (
    <div className={styles.summary} aria-busy={busy || undefined}>
      <p className={styles.figure} aria-hidden="true">
        {audience.estimated && 'About '}
        <strong>{formatCount(willSend)}</strong> {willSend === 1 ? 'recipient' : 'recipients'}
      </p>
      <div className={styles.bar} aria-hidden="true">
        {parts.map(({ name, count }) => (
          <span key={name} className={styles[name]} style={{ width: `${shareOf(count, matched)}%` }} />
        ))}
      </div>
      <p className={styles.words} role="status">
        {audienceInWords(audience)}
      </p>
    </div>
  );
}
