import { z } from 'zod';
import { eventFilter, eventName } from '../events/events.schema.ts';
import {
  clearable,
  directionQuery,
  filterEnum,
  isoDate,
  namedEnum,
  notGiven,
  optionalText,
  pageListOf,
  pageQuery,
  queryBoolean,
  requiredText,
  sortEnum,
  typeNames,
  uuid,
} from '../kernel/schemas.ts';
import { stepType } from './steps/steps.schema.ts';

export const triggerType = namedEnum('TriggerType', ['EVENT', 'MANUAL', 'SCHEDULE']);
export const waitOutcome = namedEnum('WaitOutcome', ['EVENT', 'TIMEOUT']);

/** Steps of one workflow, TRIGGER included (behaviour B8.3). */
export const maxSteps = 200;

const jsonObject = z.record(z.string(), z.unknown());
const dates = { createdAt: isoDate, updatedAt: isoDate };

const workflowFields = {
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  enabled: z.boolean(),
  triggerType,
  triggerConfig: jsonObject,
  allowReentry: z.boolean(),
  projectId: z.string(),
  ...dates,
};

/** Records of behaviour B2.6. */
export const workflowShape = z.object(workflowFields).register(typeNames, { name: 'Workflow' });

const positionShape = z.object({ x: z.number(), y: z.number() });

const stepFields = {
  id: z.string(),
  workflowId: z.string(),
  type: stepType,
  name: z.string(),
  position: positionShape,
  config: jsonObject,
  templateId: z.string().nullable(),
  ...dates,
};

export const stepShape = z.object(stepFields).register(typeNames, { name: 'WorkflowStep' });

export const transitionShape = z.object({
  id: z.string(),
  workflowId: z.string(),
  fromStepId: z.string(),
  toStepId: z.string(),
  branch: z.string().nullable(),
  waitOutcome: waitOutcome.nullable(),
  priority: z.int(),
  ...dates,
});

export const workflowDetail = z
  .object({
    ...workflowFields,
    steps: z.array(
      z.object({
        ...stepFields,
        template: z.object({ id: z.string(), name: z.string() }).nullable(),
        outgoingTransitions: z.array(transitionShape),
        incomingTransitions: z.array(transitionShape),
      }),
    ),
    transitions: z.array(transitionShape),
  })
  .register(typeNames, { name: 'WorkflowDetail' });

export const workflowListItem = z
  .object({
    ...workflowFields,
    _count: z.object({ steps: z.int(), executions: z.int() }),
  })
  .register(typeNames, { name: 'WorkflowListItem' });

export const workflowPage = pageListOf(workflowListItem);

export const listWorkflowsInput = z.object({
  ...pageQuery,
  search: optionalText(500).describe('Case-insensitive, in name and description'),
  status: filterEnum('status', namedEnum('WorkflowListItemStatus', ['active', 'disabled'])),
  sort: sortEnum(namedEnum('WorkflowListItemSort', ['name', 'createdAt', 'updatedAt', 'steps']), 'createdAt'),
  dir: directionQuery,
});

export const workflowFieldsInput = z.object({
  eventName: eventFilter.describe('Fields of this event only'),
});

export const fieldCategories = ['Contact Fields', 'Custom Data', 'Event Data'] as const;

export const workflowFieldsOutput = z
  .object({
    fields: z.array(z.string()),
    typedFields: z.array(
      z.object({ field: z.string(), type: z.string(), category: z.enum(fieldCategories) }),
    ),
    count: z.int(),
  })
  .register(typeNames, { name: 'WorkflowFields' });

const name = requiredText(100);

export const createWorkflowInput = z.object({
  name,
  eventName,
  description: optionalText(500),
  allowReentry: notGiven(z.boolean()),
});

export const workflowIdInput = z.object({ id: uuid });

/** What of a trigger a caller gives; what is missing is decided by the operation, which knows the type. */
const triggerConfigInput = z.object({
  eventName: notGiven(eventName),
  cron: notGiven(requiredText(200)).describe('5 fields: minute, hour, day of month, month, day of week'),
  timezone: notGiven(requiredText(100)).describe('IANA name, default UTC'),
  segmentId: notGiven(uuid),
});

export type TriggerConfigInput = z.output<typeof triggerConfigInput>;

export const updateWorkflowInput = z.object({
  id: uuid,
  name: notGiven(name),
  description: clearable(z.string().trim().max(500)),
  triggerType: notGiven(triggerType),
  triggerConfig: notGiven(triggerConfigInput),
  enabled: notGiven(z.boolean()),
  allowReentry: notGiven(z.boolean()),
});

const position = z.object({ x: z.number(), y: z.number() });

export const addStepInput = z.object({
  id: uuid,
  type: stepType,
  name,
  position,
  config: jsonObject,
  templateId: clearable(uuid),
  autoConnect: notGiven(z.boolean()),
});

const stepId = { id: uuid, stepId: uuid };

export const updateStepInput = z.object({
  ...stepId,
  name: notGiven(name),
  position: notGiven(position),
  config: notGiven(jsonObject),
  templateId: clearable(uuid),
});

export const deleteStepInput = z.object({ ...stepId, splice: queryBoolean('splice') });

/** Whether a step has the branch is a rule of its graph: a text that names none, whatever it is, is not a wrong field. */
const branchName = notGiven(
  z
    .string()
    .trim()
    .transform((name) => (name === '' ? undefined : name)),
);

export const addTransitionInput = z.object({
  id: uuid,
  fromStepId: uuid,
  toStepId: uuid,
  branch: branchName,
  waitOutcome: notGiven(waitOutcome),
  priority: notGiven(z.int().min(-1_000_000).max(1_000_000)),
  condition: notGiven(z.object({ branch: branchName })).describe('`{branch}`, another way to give it'),
});

export const deleteTransitionInput = z.object({ id: uuid, transitionId: uuid });
