import { webhookDeliveryStatus } from '@postrider/core/insight/webhook-endpoints/contract';
import { expect, it } from 'vitest';
import { attemptInWords, deliveryStatuses, lastAnswer } from './delivery-state.rules.ts';

const at = '2026-03-01T12:00:00.000Z';
const refused = { at, statusCode: 503, error: 'answered 503', ms: 84, response: 'busy' };
const silent = { at, statusCode: null, error: 'no answer within 15 seconds', ms: 15_000, response: null };

it('every status has words', () => {
  expect(Object.keys(deliveryStatuses)).toEqual(webhookDeliveryStatus.options);
});

it('an attempt shows its status and duration', () => {
  expect(attemptInWords(refused)).toBe('Status 503 after 84 ms');
  expect(attemptInWords(silent)).toBe('No answer after 15000 ms');
});

it('the last answer is that of the latest attempt, or why there was none', () => {
  expect(lastAnswer({ attempts: [] })).toBeNull();
  expect(lastAnswer({ attempts: [silent, refused] })).toBe('Status 503');
  expect(lastAnswer({ attempts: [refused, silent] })).toBe('no answer within 15 seconds');
});
