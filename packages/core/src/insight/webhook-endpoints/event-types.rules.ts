import { webhookTypes } from '../../base/event-types/event-types.rules.ts';

/** Means every type. */
export const everyType = '*';

/** The type of the delivery that `test` sends. */
export const testType = 'webhook.test';

const fixed: ReadonlySet<string> = new Set(webhookTypes);
const ofSegments = /^segment\.[^\p{Cc}]+\.(entry|exit)$/u;
const ofProject = /^event\.[^\p{Cc}]{1,255}$/u;

/**
 * What tells payloads apart (behaviour B11.3): the type itself where its name is fixed, else what the types have in common, so that the kinds are
 * a closed list: `event` for `event.<name>`, `segment.entry` for `segment.<slug>.entry`.
 */
export function webhookKindOf(type: string): string {
  if (type.startsWith('event.')) return 'event';
  const [, change] = /^segment\..*\.(entry|exit)$/s.exec(type) ?? [];
  return change === undefined ? type : `segment.${change}`;
}

/** Whether an endpoint may ask for this type: `*`, or the exact name of one. */
export const isEventType = (type: string): boolean =>
  type === everyType || fixed.has(type) || ofSegments.test(type) || ofProject.test(type);
