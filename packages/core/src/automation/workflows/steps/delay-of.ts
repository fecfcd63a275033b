import { timeZoneOf } from '../../../base/lib/index.ts';
import { readField } from '../runtime/condition.rules.ts';
import type { DelayConfig } from './delay.step.ts';
import { type WakeTime, wakeTimeOf } from './wake-time.rules.ts';

type Json = Readonly<Record<string, unknown>>;

export interface Waiting {
  contact: { data: Json };
  context: Json;
  /** of the project */
  timeZone: string;
}

/** When a delay ends that began at a time (in milliseconds), and the zone that applied: the contact's, else the project's. */
export function delayOf(config: DelayConfig, begun: number, of: Waiting): WakeTime & { zone: string } {
  const zone = (config.zone === 'PROJECT' ? null : zoneOf(of.contact.data)) ?? of.timeZone;
  const contact = { email: '', subscribed: false, createdAt: '', updatedAt: '', ...of.contact };
  const read = (field: string): unknown => readField(field, { contact, context: of.context });
  return { ...wakeTimeOf(config, { now: begun, zone, read }), zone };
}

/** The zone that a contact has in its data. */
const zoneOf = (data: Json): string | null =>
  typeof data['timezone'] === 'string' && data['timezone'].length <= 64 ? timeZoneOf(data['timezone']) : null;
