import type { Suppression } from '../../lib/api.ts';
import { Chip } from '../../ui/chip.tsx';

export const suppressionReasons = { BOUNCE: 'Bounced', COMPLAINT: 'Complained' } as const;

const meanings: Readonly<Record<Suppression['reason'], string>> = {
  BOUNCE: 'The mail server rejected this address permanently',
  COMPLAINT: 'The recipient marked an email as spam',
};

export function SuppressionReason({ reason }: Pick<Suppression, 'reason'>) {
  return (
    <Chip tone={reason === 'BOUNCE' ? 'warn' : 'bad'} title={meanings[reason]}>
      {suppressionReasons[reason]}
    </Chip>
  );
}
