import { describe, expect, it } from 'vitest';
import type { StepExecution, StepType, WorkflowStep, WorkflowTransition } from '../../../lib/api.ts';
import { marksOf, wayThrough } from './marks.rules.ts';

const at = '2026-03-01T10:00:00.000Z';

const step = (id: string, type: StepType, config: Record<string, unknown> = {}): WorkflowStep => ({
  id,
  key: id,
  type,
  config,
  name: id,
  workflowId: 'w',
  position: { x: 0, y: 0 },
  templateId: null,
  template: null,
  outgoingTransitions: [],
  incomingTransitions: [],
  createdAt: at,
  updatedAt: at,
});

const leads = (
  fromStepId: string,
  toStepId: string,
  by: Partial<Pick<WorkflowTransition, 'branch' | 'waitOutcome'>> = {},
): WorkflowTransition => ({
  id: `${fromStepId}-${toStepId}`,
  workflowId: 'w',
  fromStepId,
  toStepId,
  branch: null,
  waitOutcome: null,
  priority: 0,
  createdAt: at,
  updatedAt: at,
  ...by,
});

const took = (
  stepId: string,
  status: StepExecution['status'],
  output: Record<string, unknown> | null = null,
): StepExecution => ({
  id: `took ${stepId}`,
  executionId: 'e',
  stepId,
  status,
  output,
  error: null,
  failures: [],
  scheduledFor: null,
  version: 1,
  startedAt: at,
  completedAt: null,
  createdAt: at,
  updatedAt: at,
  step: null,
});

const graph = {
  steps: [
    step('trigger', 'TRIGGER'),
    step('wait', 'WAIT_FOR_EVENT', { eventName: 'paid', timeout: 60 }),
    step('split', 'CONDITION', { field: 'data.plan', operator: 'exists' }),
    step('mail', 'SEND_EMAIL'),
    step('exit', 'EXIT'),
  ],
  transitions: [
    leads('trigger', 'wait'),
    leads('wait', 'split', { waitOutcome: 'EVENT' }),
    leads('wait', 'mail', { waitOutcome: 'TIMEOUT' }),
    leads('split', 'mail', { branch: 'yes' }),
    leads('split', 'exit', { branch: 'no' }),
  ],
};

const way = {
  stepExecutions: [
    took('trigger', 'COMPLETED'),
    took('wait', 'COMPLETED', { waitOutcome: 'EVENT' }),
    took('split', 'COMPLETED', { branch: 'yes' }),
    took('mail', 'FAILED'),
  ],
};

describe('the path of an execution through a graph', () => {
  it('labels every step with its status', () => {
    const texts = Object.entries(marksOf(way, graph)).map(([id, marks]) => [id, marks[0]?.text]);
    expect(Object.fromEntries(texts)).toEqual({
      trigger: 'completed',
      wait: 'completed',
      split: 'completed',
      mail: 'failed',
      exit: 'not reached',
    });
  });

  it('follows only the branches and outcomes that were taken', () => {
    expect([...wayThrough(way, graph)].sort()).toEqual(
      ['mail', 'split', 'split-mail', 'trigger', 'trigger-wait', 'wait', 'wait-split'].sort(),
    );
  });

  it('ends at the step where the execution waits', () => {
    const waiting = { stepExecutions: [took('trigger', 'COMPLETED'), took('wait', 'WAITING')] };
    expect([...wayThrough(waiting, graph)].sort()).toEqual(['trigger', 'trigger-wait', 'wait']);
  });
});
