import type { Suppression } from '../../lib/api.ts';
import { Chip } from '../../ui/chip.tsx';

export const suppressionReasons = { BOUNCE: 'Bounced', COMPLAINT: 'Complained' } as const;

const meanings: Readonly<Record<Suppression['reason'], string>> = {
  BOUNCE: 'Their server said for good that it takes no mail for this address',
  COMPLAINT: 'They marked a mail as spam',
};

export function SuppressionReason({ reason }: Pick<Suppression, 'reason'>) {
  return (
    <Chip tone={reason === 'BOUNCE' ? 'warn' : 'bad'} title={meanings[reason]}>
      {suppressionReasons[reason]}
    </Chip>
  );
}
