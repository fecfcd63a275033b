import type { DomainHealth } from '../../../lib/api.ts';
import { Chip, type Tone } from '../../../ui/chip.tsx';

export type CheckState = DomainHealth['status'];

const looks: Record<CheckState, { tone: Tone; label: string }> = {
  ok: { tone: 'good', label: 'Passed' },
  warn: { tone: 'warn', label: 'Improve' },
  fail: { tone: 'bad', label: 'Failed' },
  unknown: { tone: 'calm', label: 'Not checked' },
};

export const CheckStatus = ({ status }: { status: CheckState }) => (
  <Chip tone={looks[status].tone}>{looks[status].label}</Chip>
);
