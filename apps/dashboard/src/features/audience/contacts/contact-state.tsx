import type { Contact } from '../../../lib/api.ts';
import { Chip } from '../../../ui/chip.tsx';
import { statusNames } from '../../common/filters/words.ts';

export const contactStates = statusNames;

const tones = {
  subscribed: 'good',
  snoozed: 'busy',
  pending: 'busy',
  never: 'calm',
  unsubscribed: 'calm',
} as const;

export function ContactState({ status }: Pick<Contact, 'status'>) {
  return <Chip tone={tones[status]}>{contactStates[status]}</Chip>;
}
