import { zoneOfContact } from '../../../audience/contacts/index.ts';
import { readField } from '../runtime/condition.rules.ts';
import type { DelayConfig } from './delay.step.ts';
import { type WakeTime, wakeTimeOf } from './wake-time.rules.ts';

type Json = Readonly<Record<string, unknown>>;

export interface Waiting {
  contact: { data: Json };
  context: Json;
  /** of the workflow, else of the project */
  timeZone: string;
}

/** When a delay ends that began at a time (in milliseconds), and the zone that applied: the contact's, else the workflow's, else the project's. */
export function delayOf(config: DelayConfig, begun: number, of: Waiting): WakeTime & { zone: string } {
  const zone =
    config.zone === 'PROJECT' ? of.timeZone : zoneOfContact(of.contact.data['timezone'], of.timeZone);
  const contact = { email: '', subscribed: false, status: '', createdAt: '', updatedAt: '', ...of.contact };
  const read = (field: string): unknown => readField(field, { contact, context: of.context });
  return { ...wakeTimeOf(config, { now: begun, zone, read }), zone };
}
