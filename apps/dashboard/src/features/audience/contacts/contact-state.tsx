import type { ContactStatus } from '@postrider/core/audience/consent/contract';
import type { Contact } from '../../../lib/api.ts';
import { Chip } from '../../../ui/chip.tsx';

export const contactStates: Readonly<Record<ContactStatus, string>> = {
  subscribed: 'Subscribed',
  snoozed: 'Paused',
  pending: 'Waiting for confirmation',
  never: 'Never subscribed',
  unsubscribed: 'Unsubscribed',
};

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
