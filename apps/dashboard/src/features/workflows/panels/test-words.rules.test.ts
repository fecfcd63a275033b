import { expect, it } from 'vitest';
import type { StepExecution } from '../../../lib/api.ts';
import { canTimeOut, testWords } from './test-words.rules.ts';

const words = (
  type: NonNullable<StepExecution['step']>['type'],
  output: StepExecution['output'],
  rest: Partial<StepExecution> = {},
): string =>
  testWords(
    {
      status: 'COMPLETED',
      error: null,
      scheduledFor: null,
      step: { id: 's', name: 'A step', type },
      output,
      ...rest,
    },
    { config: {} },
  );

it('a test run says what a step would do, not what it did', () => {
  const mail = { recipientEmail: 'ada@people.example', subject: 'Hi', skipped: null };
  expect(words('SEND_EMAIL', mail)).toBe('Would send “Hi” to ada@people.example');
  expect(words('SEND_EMAIL', { ...mail, skipped: 'unsubscribed' })).toMatch(/^Would skip the email to ada@/);
  expect(words('WEBHOOK', { method: 'POST', url: 'https://x.example', body: {} })).toBe(
    'Would request POST https://x.example',
  );
  expect(words('DELAY', { delayAmount: 2, delayUnit: 'days' })).toBe('Would wait 2 days, until');
  expect(words('DELAY', { delayAmount: 1, delayUnit: 'days' })).toBe('Would wait 1 day, until');
  expect(words('WAIT_FOR_EVENT', { waitOutcome: 'EVENT', eventName: 'paid' })).toBe(
    'Would wait for “paid”, and go on when it occurs',
  );
  expect(
    words('SEND_EMAIL', null, { status: 'FAILED', error: 'The template of this step was deleted' }),
  ).toBe('The template of this step was deleted');
  expect(words('DELAY', { delayAmount: 2, delayUnit: 'days' }, { status: 'SKIPPED' })).toBe(
    'Would be left here, by a goal or an exit rule',
  );
});

it('a wait can time out if it has a timeout', () => {
  expect(canTimeOut({ type: 'WAIT_FOR_EVENT', config: { eventName: 'paid', timeout: 60 } })).toBe(true);
  expect(canTimeOut({ type: 'WAIT_FOR_EVENT', config: { eventName: 'paid' } })).toBe(false);
  expect(canTimeOut({ type: 'DELAY', config: { amount: 1, unit: 'days' } })).toBe(false);
});
