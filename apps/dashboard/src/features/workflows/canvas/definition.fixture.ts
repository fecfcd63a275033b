import type { WorkflowDefinition, WorkflowStep, WorkflowTransition } from '../../../lib/api.ts';

const at = '2026-01-01T00:00:00.000Z';

/** A step whose name and key are its id. */
export const stepNamed = (
  id: string,
  type: WorkflowStep['type'],
  config: WorkflowStep['config'] = {},
  rest: Partial<WorkflowStep> = {},
): WorkflowStep => ({
  id,
  workflowId: 'w',
  key: id,
  type,
  name: id,
  position: { x: 0, y: 0 },
  config,
  templateId: null,
  template: null,
  outgoingTransitions: [],
  incomingTransitions: [],
  createdAt: at,
  updatedAt: at,
  ...rest,
});

export const wayFrom = (
  fromStepId: string,
  toStepId: string,
  way: Partial<Pick<WorkflowTransition, 'branch' | 'waitOutcome'>> = {},
): WorkflowTransition => ({
  id: `${fromStepId} ${toStepId}`,
  workflowId: 'w',
  fromStepId,
  toStepId,
  branch: null,
  waitOutcome: null,
  priority: 0,
  createdAt: at,
  updatedAt: at,
  ...way,
});

/** A definition that is started by an event. */
export const definitionWith = (
  steps: WorkflowStep[],
  transitions: WorkflowTransition[],
  rest: Partial<WorkflowDefinition> = {},
): WorkflowDefinition => ({
  triggerType: 'EVENT',
  triggerConfig: { eventName: 'signed up' },
  allowReentry: false,
  entry: { filter: null, limit: null, every: null },
  timeZone: null,
  goals: [],
  exits: [],
  steps: [stepNamed('trigger', 'TRIGGER', { eventName: 'signed up' }), ...steps],
  transitions,
  ...rest,
});
