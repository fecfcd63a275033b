import { expect, it } from 'vitest';
import type { StepExecution, StepType } from '../../../lib/api.ts';
import { endedBy, fateInWords } from './ended-by.rules.ts';

const at = '2026-03-01T10:00:00.000Z';
const taken = (type: StepType, status: StepExecution['status']): StepExecution => ({
  ...{ id: type, executionId: 'x', stepId: type, status, scheduledFor: null, output: null, error: null },
  ...{ version: 1, failures: [], startedAt: at, completedAt: at, createdAt: at, updatedAt: at },
  step: { id: type, name: type, type },
});
const ended = (exitReason: string | null, ...stepExecutions: StepExecution[]) =>
  endedBy({ status: 'EXITED', exitReason, stepExecutions }, [{ name: 'Has paid' }]);

it('a goal or an exit rule ended an execution, unless an EXIT step did', () => {
  expect(ended('Goal: Purchase', taken('DELAY', 'SKIPPED'))).toBe('goal');
  expect(ended('Has paid', taken('SEND_EMAIL', 'COMPLETED'))).toBe('exit');
  expect(ended('Has paid', taken('EXIT', 'COMPLETED'))).toBeNull();
  expect(ended('Another reason', taken('DELAY', 'COMPLETED'))).toBeNull();
  expect(endedBy({ status: 'COMPLETED', exitReason: null, stepExecutions: [] }, [])).toBeNull();
});

it('an email of such an execution was sent before, or withdrawn', () => {
  expect(fateInWords({ status: 'DELIVERED', reason: null }, 'goal')).toBe('Sent before the goal');
  expect(fateInWords({ status: 'SKIPPED', reason: 'exited' }, 'exit')).toBe('Withdrawn at the exit');
  expect(fateInWords({ status: 'SKIPPED', reason: 'unsubscribed' }, 'goal')).toBeNull();
  expect(fateInWords({ status: 'FAILED', reason: null }, 'goal')).toBeNull();
});
