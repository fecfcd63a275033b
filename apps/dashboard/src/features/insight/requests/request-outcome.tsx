import type { RequestEntry } from '../../../lib/api.ts';
import { Chip, type Tone } from '../../../ui/chip.tsx';

const toneOf = (status: number): Tone => (status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good');

/** The status of a request; the colour repeats its class. */
export const RequestOutcome = ({ status }: Pick<RequestEntry, 'status'>) => (
  <Chip tone={toneOf(status)}>{status}</Chip>
);
