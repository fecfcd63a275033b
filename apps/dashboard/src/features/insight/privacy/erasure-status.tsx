import type { Erasure } from '../../../lib/api.ts';
import { Chip } from '../../../ui/chip.tsx';

/** Whether something of the person may still be stored. */
export const ErasureStatus = ({ status }: Pick<Erasure, 'status'>) =>
  status === 'COMPLETED' ? <Chip tone="good">Completed</Chip> : <Chip tone="busy">Running</Chip>;
