import type { Suppression } from '../../../lib/api.ts';
import { Chip } from '../../../ui/chip.tsx';

export const suppressionReasons = {
  BOUNCE: 'Bounced',
  COMPLAINT: 'Complained',
  MANUAL: 'Added by hand',
} as const;

const tones = { BOUNCE: 'warn', COMPLAINT: 'bad', MANUAL: 'calm' } as const;

const meanings: Readonly<Record<Suppression['reason'], string>> = {
  BOUNCE: 'The mail server rejected this address permanently',
  COMPLAINT: 'The recipient marked an email as spam',
  MANUAL: 'Added by a member of the project or through the API',
};

export function SuppressionReason({ reason }: Pick<Suppression, 'reason'>) {
  return (
    <Chip tone={tones[reason]} title={meanings[reason]}>
      {suppressionReasons[reason]}
    </Chip>
  );
}
