import { webhookTypes } from '../../base/event-types/event-types.rules.ts';

/** Means every type. */
export const everyType = '*';

/** The type of the delivery that `test` sends. */
export const testType = 'webhook.test';

const fixed: ReadonlySet<string> = new Set(webhookTypes);
const ofSegments = /^segment\.[^\p{Cc}]+\.(entry|exit)$/u;
const ofProject = /^event\.[^\p{Cc}]{1,255}$/u;

/** Whether an endpoint may ask for this type: `*`, or the exact name of one. */
export const isEventType = (type: string): boolean =>
  type === everyType || fixed.has(type) || ofSegments.test(type) || ofProject.test(type);
