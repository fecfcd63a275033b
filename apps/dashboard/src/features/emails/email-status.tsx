import type { Email } from '../../lib/api.ts';
import { Chip, type Tone } from '../../ui/chip.tsx';
import styles from './email-status.module.css';

interface Look {
  tone: Tone;
  label: string;
  meaning: string;
}

/** Every status in words (the states of the delivery ledger). */
export const emailStatuses: Record<Email['status'], Look> = {
  PENDING: { tone: 'busy', label: 'Waiting', meaning: 'Waits for its turn, or for the next attempt.' },
  SENDING: { tone: 'busy', label: 'Sending', meaning: 'Is being handed over right now.' },
  SENT: { tone: 'good', label: 'Sent', meaning: 'The receiving server accepted it.' },
  DELIVERED: {
    tone: 'good',
    label: 'Delivered',
    meaning: 'The provider reports that it reached the mailbox.',
  },
  OPENED: { tone: 'good', label: 'Opened', meaning: 'The recipient opened it.' },
  CLICKED: { tone: 'good', label: 'Clicked', meaning: 'The recipient followed a link in it.' },
  BOUNCED: { tone: 'bad', label: 'Bounced', meaning: 'It was accepted first and came back later.' },
  COMPLAINED: { tone: 'bad', label: 'Complained', meaning: 'The recipient reported it as unwanted.' },
  FAILED: {
    tone: 'bad',
    label: 'Failed',
    meaning: 'The receiving server refused it for good, or it was given up.',
  },
  SKIPPED: { tone: 'calm', label: 'Skipped', meaning: 'It was never handed over.' },
  UNCERTAIN: {
    tone: 'warn',
    label: 'Uncertain',
    meaning:
      'Its transfer was begun, but no answer is recorded: it may have arrived. It is not repeated by itself, so that nobody gets it twice.',
  },
};

const reasons: Record<string, string> = {
  unsubscribed: 'the contact is not subscribed',
  suppressed: 'the address is on the suppression list',
  cancelled: 'its campaign was cancelled, or its contact deleted',
  project_disabled: 'the project was disabled',
  duplicate: 'another mail of the same campaign goes to this address',
  invalid: 'the address is not valid',
};

/** Why a mail was skipped, in words. */
export const reasonInWords = (reason: string): string => reasons[reason] ?? reason;

export function EmailStatus({ status }: Pick<Email, 'status'>) {
  const { tone, label, meaning } = emailStatuses[status];
  return (
    <Chip tone={tone} title={meaning}>
      {label}
    </Chip>
  );
}

/** What every status means, for those who meet them the first time. */
export function StatusLegend() {
  return (
    <details className={styles.legend}>
      <summary>What the statuses mean</summary>
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
    </details>
  );
}
