import type { Approval } from '../../../lib/api.ts';
import { Chip, type Tone } from '../../../ui/chip.tsx';

const shown: Record<Approval['status'], { tone: Tone; word: string }> = {
  PENDING: { tone: 'warn', word: 'Waits for you' },
  RUNNING: { tone: 'busy', word: 'Running' },
  DONE: { tone: 'good', word: 'Done' },
  APPROVED: { tone: 'good', word: 'Approved' },
  FAILED: { tone: 'bad', word: 'Failed' },
  DECLINED: { tone: 'calm', word: 'Declined' },
  EXPIRED: { tone: 'calm', word: 'Expired' },
};

export const approvalStatuses = Object.entries(shown).map(([value, { word }]) => ({
  value: value as Approval['status'],
  label: word,
}));

/** Whether it is that of a campaign by a second person: agreeing sends nothing. */
export const isOfCampaign = ({ campaignId, input }: Pick<Approval, 'campaignId' | 'input'>): boolean =>
  campaignId !== null && input === null;

/** What became of an approval. */
export const ApprovalOutcome = ({ status }: Pick<Approval, 'status'>) => (
  <Chip tone={shown[status].tone}>{shown[status].word}</Chip>
);
