import type { Email } from '../../lib/api.ts';
import { Chip, type Tone } from '../../ui/chip.tsx';
import { Fold } from '../../ui/fold.tsx';
import styles from './email-status.module.css';

interface Look {
  tone: Tone;
  label: string;
  meaning: string;
}

/** Display names of the statuses of an email. */
export const emailStatuses: Record<Email['status'], Look> = {
  SCHEDULED: { tone: 'pending', label: 'Scheduled', meaning: 'Waiting for the time it is to be sent.' },
  PENDING: { tone: 'pending', label: 'Queued', meaning: 'Waiting to be sent, or for the next attempt.' },
  SENDING: { tone: 'busy', label: 'Sending', meaning: 'Being sent right now.' },
  SENT: { tone: 'sent', label: 'Sent', meaning: 'Accepted by the mail server.' },
  DELIVERED: {
    tone: 'delivered',
    label: 'Delivered',
    meaning: 'Reported as delivered by the provider.',
  },
  OPENED: { tone: 'opened', label: 'Opened', meaning: 'Opened by the recipient.' },
  CLICKED: { tone: 'clicked', label: 'Clicked', meaning: 'The recipient clicked a link.' },
  BOUNCED: {
    tone: 'bounced',
    label: 'Bounced',
    meaning: 'Accepted at first, then returned as undeliverable.',
  },
  COMPLAINED: { tone: 'complained', label: 'Complained', meaning: 'Marked as spam by the recipient.' },
  FAILED: {
    tone: 'failed',
    label: 'Failed',
    meaning: 'Rejected permanently by the mail server, or all retries failed.',
  },
  SKIPPED: { tone: 'skipped', label: 'Skipped', meaning: 'Not sent.' },
  UNCERTAIN: {
    tone: 'uncertain',
    label: 'Uncertain',
    meaning: "Sending started but the server's answer was lost. We don't retry, to avoid a duplicate.",
  },
};

export function EmailStatus({ status }: Pick<Email, 'status'>) {
  const { tone, label, meaning } = emailStatuses[status];
  return (
    <Chip tone={tone} title={meaning}>
      {label}
    </Chip>
  );
}

/** Explains every status. */
export function StatusLegend() {
  return (
    <Fold className={styles.legend} summary="What the statuses mean">
      <dl>
        {Object.values(emailStatuses).map(({ tone, label, meaning }) => (
          <div key={label}>
            <dt>
              <Chip tone={tone}>{label}</Chip>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Fold>
  );
}
