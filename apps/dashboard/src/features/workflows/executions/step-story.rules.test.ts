import { describe, expect, it } from 'vitest';
import type { StepExecution, StepType } from '../../../lib/api.ts';
import { storyOf } from './step-story.rules.ts';

const at = '2026-03-01T10:00:00.000Z';

interface Case {
  type: StepType;
  status?: StepExecution['status'];
  output?: Record<string, unknown>;
  config?: Record<string, unknown>;
  error?: string;
  scheduledFor?: string;
}

const story = ({ type, status = 'COMPLETED', output, config, error, scheduledFor }: Case) =>
  storyOf(
    {
      status,
      output: output ?? null,
      error: error ?? null,
      scheduledFor: scheduledFor ?? null,
      step: { id: 's', name: 'A step', type },
    },
    config && { config },
  );

const asked = { field: 'data.plan', operator: 'equals', expectedValue: 'pro', actualValue: 'free' };
const branches = [{ id: 'b1', name: 'Payers', operator: 'equals', value: 'pro' }];
const call = { method: 'POST', url: 'https://hooks.example.com/x', attempts: 1 };

describe('the description of a step in an execution', () => {
  it.each<[Case, string]>([
    [{ type: 'TRIGGER', output: { triggered: true, eventName: 'signed up' } }, 'Triggered by “signed up”'],
    [{ type: 'TRIGGER', output: { triggered: true, eventName: null } }, 'Started'],
    [{ type: 'SEND_EMAIL', output: { recipientEmail: 'a@b.example' } }, 'Queued an email to a@b.example'],
    [{ type: 'DELAY', output: { delayAmount: 1, delayUnit: 'days' } }, 'Waited 1 day'],
    [{ type: 'WAIT_FOR_EVENT', output: { waitOutcome: 'EVENT', eventName: 'paid' } }, 'Received “paid”'],
    [
      { type: 'WAIT_FOR_EVENT', output: { waitOutcome: 'TIMEOUT', eventName: 'paid' } },
      'Timed out waiting for “paid”',
    ],
    [
      { type: 'CONDITION', output: { ...asked, result: false, branch: 'no' }, config: {} },
      'Checked whether data.plan is "pro": it was "free", so branch “no” was taken',
    ],
    [
      {
        type: 'CONDITION',
        output: {
          field: 'data.plan',
          operator: 'exists',
          expectedValue: null,
          actualValue: null,
          branch: 'no',
        },
      },
      'Checked whether data.plan exists: it was not set, so branch “no” was taken',
    ],
    [
      {
        type: 'CONDITION',
        output: { field: 'data.plan', actualValue: 'pro', branch: 'b1' },
        config: { mode: 'multi', branches },
      },
      'data.plan was "pro", so branch “Payers” was taken',
    ],
    [
      {
        type: 'CONDITION',
        output: { field: 'data.plan', actualValue: 'x', branch: 'default' },
        config: { mode: 'multi', branches },
      },
      'data.plan was "x", so branch “none of these” was taken',
    ],
    [
      { type: 'WEBHOOK', output: { ...call, statusCode: 200, success: true } },
      'POST https://hooks.example.com/x returned 200',
    ],
    [{ type: 'UPDATE_CONTACT', output: { updatedKeys: ['plan', 'seats'] } }, 'Updated plan, seats'],
    [
      { type: 'UPDATE_CONTACT', output: { updatedKeys: ['plan'], subscriptionChanged: true } },
      'Updated plan and changed the subscription',
    ],
    [
      { type: 'UPDATE_CONTACT', output: { updatedKeys: [], subscriptionChanged: false } },
      'Nothing to change',
    ],
    [
      { type: 'UPDATE_CONTACT', output: { updatedKeys: [], updatedTopics: ['news', 'offers'] } },
      'Chose for news, offers',
    ],
    [{ type: 'EXIT', output: { exitReason: 'exit_step' } }, 'Exited'],
    [{ type: 'EXIT', output: { exitReason: 'bought' } }, 'Exited: bought'],
  ])('states the result of a completed step: %#', (taken, text) => {
    expect(story(taken)).toEqual({ text, tone: 'good', until: null, emailId: null });
  });

  it('links to the email that the step created', () => {
    const output = { emailId: 'e1', recipientEmail: 'a@b.example', skipped: null };
    expect(story({ type: 'SEND_EMAIL', output }).emailId).toBe('e1');
  });

  it('states why an email was skipped', () => {
    const output = { emailId: 'e1', recipientEmail: 'a@b.example', skipped: 'unsubscribed' };
    expect(story({ type: 'SEND_EMAIL', output })).toMatchObject({
      text: 'Skipped the email to a@b.example: the contact is not subscribed',
      tone: 'warn',
    });
  });

  it('states that a webhook was rejected, and the number of attempts', () => {
    const output = { ...call, attempts: 3, statusCode: 404, success: false };
    expect(story({ type: 'WEBHOOK', output })).toMatchObject({
      text: 'POST https://hooks.example.com/x returned 404 after 3 attempts, which is not a success',
      tone: 'warn',
    });
  });

  it('states what a step waits for, and until when', () => {
    expect(
      story({
        type: 'DELAY',
        status: 'SCHEDULED',
        scheduledFor: at,
        config: { amount: 2, unit: 'hours' },
      }),
    ).toEqual({ text: 'Waiting 2 hours, until', tone: 'warn', until: at, emailId: null });
    const wait = { type: 'WAIT_FOR_EVENT', status: 'WAITING', config: { eventName: 'paid' } } as const;
    expect(story({ ...wait, scheduledFor: at })).toMatchObject({
      text: 'Waiting for “paid” until',
      until: at,
    });
    expect(story(wait)).toMatchObject({ text: 'Waiting for “paid”, with no time limit', until: null });
  });

  it('states the result of the last attempt while a webhook is retried', () => {
    const taken = { type: 'WEBHOOK', status: 'RUNNING', scheduledFor: at } as const;
    expect(story({ ...taken, output: { ...call, attempts: 2, statusCode: 503 } })).toMatchObject({
      text: 'Attempt 2 got 503; next attempt at',
      until: at,
    });
    expect(story({ ...taken, output: { ...call, statusCode: null } }).text).toBe(
      'Attempt 1 got no response; next attempt at',
    );
  });

  it('states why a step failed, or that it was cancelled', () => {
    expect(
      story({ type: 'SEND_EMAIL', status: 'FAILED', error: 'The template of this step was deleted' }),
    ).toMatchObject({ text: 'The template of this step was deleted', tone: 'bad', until: null });
    expect(story({ type: 'DELAY', status: 'SKIPPED', scheduledFor: at })).toMatchObject({
      text: 'Cancelled with the execution',
      tone: 'calm',
      until: null,
    });
  });
});
