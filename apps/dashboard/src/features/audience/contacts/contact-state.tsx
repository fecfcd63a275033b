import type { Contact } from '../../../lib/api.ts';
import { Chip } from '../../../ui/chip.tsx';

export const contactStates = {
  subscribed: 'Subscribed',
  snoozed: 'Snoozed',
  unsubscribed: 'Unsubscribed',
} as const;

export function ContactState({ subscribed, snoozedUntil }: Pick<Contact, 'subscribed' | 'snoozedUntil'>) {
  if (subscribed) return <Chip tone="good">{contactStates.subscribed}</Chip>;
  if (snoozedUntil) return <Chip tone="busy">{contactStates.snoozed}</Chip>;
  return <Chip tone="calm">{contactStates.unsubscribed}</Chip>;
}
