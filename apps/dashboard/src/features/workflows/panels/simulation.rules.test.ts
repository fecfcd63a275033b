import { expect, it } from 'vitest';
import type { ExecutionDetail, Workflow, WorkflowSimulation } from '../../../lib/api.ts';
import { crowdPainting } from './crowd.rules.ts';
import { readHappenings } from './happenings.rules.ts';
import { marksAt, momentsOf, upTo } from './try-one.rules.ts';

const step = (id: string, type: string, config: object = {}) => ({
  id,
  key: `key-${id}`,
  type,
  config,
  name: id,
});
const way = (id: string, fromStepId: string, toStepId: string, more: object = {}) => ({
  ...{ id, fromStepId, toStepId, branch: null, waitOutcome: null },
  ...more,
});

const workflow = {
  steps: [
    step('start', 'TRIGGER'),
    step('ask', 'CONDITION', { field: 'data.plan', operator: 'equals', value: 'pro' }),
    step('mail', 'SEND_EMAIL'),
    step('bye', 'EXIT'),
  ],
  transitions: [
    way('t1', 'start', 'ask'),
    way('t2', 'ask', 'mail', { branch: 'yes' }),
    way('t3', 'ask', 'bye', { branch: 'no' }),
  ],
} as unknown as Workflow;

const figures = (id: string, entered: number, more: object = {}) => ({
  ...{ stepKey: `key-${id}`, name: id, entered, left: entered, failed: 0, here: 0, branches: [] },
  ...more,
});

const simulation = {
  steps: [
    figures('start', 1_000),
    figures('ask', 1_000, {
      left: 990,
      failed: 10,
      branches: [
        { branch: 'yes', taken: 240, share: 24.24 },
        { branch: 'no', taken: 750, share: 75.76 },
      ],
    }),
    figures('mail', 240, { left: 200, here: 40 }),
    figures('bye', 750),
    figures('elsewhere', 5),
  ],
} as unknown as WorkflowSimulation;

it('lines are as thick as the crowd, and steps have its numbers', () => {
  const { crowd, marks, ways } = crowdPainting(simulation, workflow, null);
  expect(crowd).toEqual(
    new Map([
      ['t1', 1],
      ['t2', 0.24],
      ['t3', 0.75],
    ]),
  );
  expect(marks['ask']?.map(({ text }) => text)).toEqual(['1,000 come', '10 fail']);
  expect(marks['mail']?.map(({ text }) => text)).toEqual(['240 come', '40 stay']);
  expect(ways).toEqual([
    { stepId: 'ask', branch: 'yes', waitOutcome: null, taken: 240, share: 24.24 },
    { stepId: 'ask', branch: 'no', waitOutcome: null, taken: 750, share: 75.76 },
  ]);
});

it('differences to the live version stand beside the numbers; a step that it does not have is one', () => {
  const live = { steps: [figures('start', 1_000), figures('ask', 1_000), figures('mail', 300)] };
  const { marks } = crowdPainting(simulation, workflow, live as unknown as WorkflowSimulation);
  expect(marks['start']?.map(({ text }) => text)).toEqual(['1,000 come']);
  expect(marks['mail']?.map(({ text }) => text)).toEqual(['240 come', '−60', '40 stay']);
  expect(marks['bye']?.map(({ text }) => text)).toEqual(['750 come', '+750']);
});

it('the slider goes from one moment to the next', () => {
  const at = (hour: number) => new Date(Date.UTC(2027, 0, 1, hour)).toISOString();
  const execution = {
    stepExecutions: [
      { stepId: 'a', startedAt: at(1), completedAt: at(1), status: 'COMPLETED' },
      { stepId: 'b', startedAt: at(1), completedAt: at(5), status: 'COMPLETED' },
      { stepId: 'c', startedAt: at(5), completedAt: null, status: 'WAITING' },
    ],
  } as unknown as ExecutionDetail;
  expect(momentsOf(execution)).toEqual([at(1), at(5)]);
  const shown = upTo(execution, at(1));
  expect(shown.stepExecutions.map(({ stepId }) => stepId)).toEqual(['a', 'b']);
  expect(Object.keys(marksAt(shown, at(1)))).toEqual(['b']);
  expect(Object.keys(marksAt(upTo(execution, at(5)), at(5)))).toEqual(['c']);
});

it('events happen so much time after the start', () => {
  const startAt = new Date(Date.UTC(2027, 0, 1));
  const values = {
    'events.0.eventName': 'paid',
    'events.0.after': '2',
    'events.0.unit': 'days',
    'events.1.eventName': 'seen',
    'events.1.after': '30',
    'events.1.unit': 'minutes',
  };
  expect(readHappenings(values, startAt)).toEqual([
    { eventName: 'paid', at: '2027-01-03T00:00:00.000Z' },
    { eventName: 'seen', at: '2027-01-01T00:30:00.000Z' },
  ]);
  expect(readHappenings({}, startAt)).toEqual([]);
});
