import type { Domain } from '../../../lib/api.ts';
import { Chip, type Tone } from '../../../ui/chip.tsx';

const looks: Record<Domain['status'], { tone: Tone; label: string }> = {
  PENDING: { tone: 'busy', label: 'Pending' },
  VERIFIED: { tone: 'good', label: 'Verified' },
  FAILED: { tone: 'bad', label: 'Failed' },
};

export const DomainStatus = ({ status }: Pick<Domain, 'status'>) => (
  <Chip tone={looks[status].tone}>{looks[status].label}</Chip>
);

const meanings: Record<Domain['status'], string> = {
  PENDING: 'Create the required record at your DNS provider. We check for it every 5 minutes for 72 hours.',
  VERIFIED: 'You can send from this domain. The record is checked daily, so keep it in place.',
  FAILED: 'The record was not found within 72 hours. Correct it, then select Check now.',
};

/** What the state of a domain means, and what to do. */
export function domainMeaning({ status, verifiedBy }: Pick<Domain, 'status' | 'verifiedBy'>): string {
  if (verifiedBy === 'TEST') return 'No email of a test project leaves, so the domain needs no DNS records.';
  if (verifiedBy === 'LOCAL_MAILBOX')
    return 'All email ends in the mailbox on this machine. With a mail server the domain needs its DNS records.';
  return meanings[status];
}
