import { z } from 'zod';
import { eventFilter, eventName } from '../../audience/events/events.schema.ts';
import {
  accepting,
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
  recordId,
  requiredName,
  senderMailbox,
  sortEnum,
  sortText,
  timeZone,
  typeNames,
  uuid,
} from '../../base/kernel/schemas.ts';
import { auditActor } from '../../people/audit/audit.schema.ts';
import { endsInput, endsShape } from './definitions/ends.schema.ts';
import { entryInput, entryShape } from './entries/entry.schema.ts';
import { waitOutcome } from './executions.schema.ts';
import { recipeIds } from './recipes/recipes.rules.ts';
import { maxBranches } from './steps/condition.step.ts';
import { stepDefinitions, stepType } from './steps/steps.schema.ts';
import { triggerConfigInput, triggerType } from './triggers/triggers.schema.ts';
import { workflowAlias, workflowReference } from './workflow-reference.schema.ts';

/** Steps of one workflow, TRIGGER included (behaviour B8.3). */
export const maxSteps = 200;

const jsonObject = z.record(z.string(), z.unknown());
const dates = {
  createdAt: isoDate.describe('When it was created.'),
  updatedAt: isoDate.describe('When it last changed.'),
};

const draftShape = z
  .object({
    updatedAt: isoDate.describe('When the draft last changed.'),
    author: auditActor.nullable().describe('Who changed it last.'),
    changes: z
      .int()
      .min(0)
      .meta({ description: 'Differences to the live version.', examples: [3] }),
  })
  .register(typeNames, { name: 'WorkflowDraft' });

const workflowFields = {
  id: recordId.describe('Id of the workflow.'),
  name: z.string().meta({ description: 'Name of the workflow.', examples: ['Onboarding'] }),
  description: z
    .string()
    .nullable()
    .meta({ description: 'Description for the team.', examples: ['Welcome and tips for new users'] }),
  alias: z
    .string()
    .nullable()
    .meta({
      description: 'Name for programs, unique in the project; null without one.',
      examples: ['onboarding'],
    }),
  enabled: z.boolean().describe('Whether the trigger starts executions.'),
  triggerType: triggerType.describe(
    'What starts an execution: an event, a request, a schedule, a date of a contact, or that a contact is new.',
  ),
  triggerConfig: jsonObject.meta({
    description: 'Settings of the trigger.',
    examples: [{ eventName: 'signed_up' }],
  }),
  allowReentry: z.boolean().describe('Whether a contact may run through it more than once.'),
  entry: entryShape.describe('Who may enter.'),
  timeZone: z
    .string()
    .nullable()
    .meta({
      description:
        'IANA time zone of its delays and dates for contacts without one; null for that of the project.',
      examples: ['Europe/Berlin'],
    }),
  ...endsShape,
  version: z
    .int()
    .min(1)
    .nullable()
    .meta({
      description:
        'The live version, with which new executions begin; null before it is enabled for the first time.',
      examples: [4],
    }),
  draft: draftShape
    .nullable()
    .describe('The definition beside the live one that is not published; null without one.'),
  errorBudget: z.boolean().describe('Whether many failures disable it.'),
  disabledReason: namedEnum('WorkflowDisabledReason', ['errors'])
    .nullable()
    .meta({
      description: '`errors` if too many failures have disabled it; null otherwise.',
      examples: [null],
    }),
  projectId: recordId.describe('Id of the project.'),
  ...dates,
};

/** Records of behaviour B2.6. */
export const workflowShape = z.object(workflowFields).register(typeNames, { name: 'Workflow' });

const positionShape = z.object({
  x: z.number().meta({ description: 'Horizontal place, in pixels.', examples: [0] }),
  y: z.number().meta({ description: 'Vertical place, in pixels.', examples: [120] }),
});

const stepFields = {
  id: recordId.describe('Id of the step.'),
  workflowId: recordId.describe('Id of the workflow.'),
  key: z.string().meta({
    description:
      'Name of the step in documents and requests, unique in the workflow. It is made from the name when the step is created, and stays when it is renamed.',
    examples: ['wait-a-day'],
  }),
  type: stepType.meta({ description: 'Type of the step.', examples: ['DELAY'] }),
  name: z.string().meta({ description: 'Name of the step.', examples: ['Wait a day'] }),
  position: positionShape.describe('Place on the canvas.'),
  config: jsonObject.meta({
    description: 'Configuration, by type.',
    examples: [{ amount: 1, unit: 'days' }],
  }),
  templateId: recordId.nullable().describe('Template that a SEND_EMAIL step sends; null for other types.'),
  ...dates,
};

export const transitionShape = z.object({
  id: recordId.describe('Id of the transition.'),
  workflowId: recordId.describe('Id of the workflow.'),
  fromStepId: recordId.describe('Step that it leaves.'),
  toStepId: recordId.describe('Step that it leads to.'),
  branch: z
    .string()
    .nullable()
    .meta({
      description: 'Branch of a CONDITION step: `yes`, `no`, a branch id or `default`; null for other steps.',
      examples: ['yes'],
    }),
  waitOutcome: waitOutcome.nullable().meta({
    description: 'Outcome of a WAIT_FOR_EVENT step; null for other steps, and for any outcome.',
    examples: [null],
  }),
  priority: z.int().meta({ description: 'Order among the transitions of a step, ascending.', examples: [0] }),
  ...dates,
});

/** What the reply to an edit of a part says of its workflow. */
const editFields = {
  version: workflowFields.version,
  draft: workflowFields.draft,
};

export const editedStep = z
  .object({ ...stepFields, ...editFields })
  .register(typeNames, { name: 'WorkflowStep' });

export const editedTransition = transitionShape.extend(editFields);

const graphFields = {
  steps: z
    .array(
      z.object({
        ...stepFields,
        template: z
          .object({
            id: recordId.describe('Id of the template.'),
            name: z.string().meta({ description: 'Name of the template.', examples: ['Welcome'] }),
          })
          .nullable()
          .describe('Template that the step sends; null for other types.'),
        outgoingTransitions: z.array(transitionShape).describe('Transitions that leave the step.'),
        incomingTransitions: z.array(transitionShape).describe('Transitions that lead to the step.'),
      }),
    )
    .describe('All steps.'),
  transitions: z.array(transitionShape).describe('All transitions.'),
};

/** The definition of a version. */
export const definitionShape = z
  .object({
    triggerType: workflowFields.triggerType,
    triggerConfig: workflowFields.triggerConfig,
    allowReentry: workflowFields.allowReentry,
    entry: workflowFields.entry,
    timeZone: workflowFields.timeZone,
    ...endsShape,
    ...graphFields,
  })
  .register(typeNames, { name: 'WorkflowDefinition' });

export const workflowDetail = z
  .object({
    ...workflowFields,
    ...graphFields,
  })
  .register(typeNames, { name: 'WorkflowDetail' });

export const workflowListItem = z
  .object({
    ...workflowFields,
    _count: z
      .object({
        steps: z
          .int()
          .min(0)
          .meta({ description: 'Number of steps.', examples: [4] }),
        executions: z
          .int()
          .min(0)
          .meta({ description: 'Number of executions.', examples: [87] }),
        active: z
          .int()
          .min(0)
          .meta({ description: 'Executions that have not ended.', examples: [14] }),
        failed24h: z
          .int()
          .min(0)
          .meta({
            description: 'Executions that failed in the last 24 hours and were not retried.',
            examples: [0],
          }),
      })
      .describe('Numbers of its parts.'),
  })
  .register(typeNames, { name: 'WorkflowListItem' });

export const workflowPage = pageListOf(workflowListItem);

export const listWorkflowsInput = z.object({
  ...pageQuery,
  search: optionalText(500).meta({
    description: 'Part of the name or description, in any case. At most 500 characters.',
    examples: ['welcome'],
  }),
  status: filterEnum('status', namedEnum('WorkflowListItemStatus', ['active', 'disabled'])).describe(
    'Only workflows that are enabled, or only those that are not.',
  ),
  hasDraft: queryBoolean('hasDraft').describe(
    'Only workflows that have a draft, or only those that have none.',
  ),
  sort: sortEnum(
    namedEnum('WorkflowListItemSort', ['name', 'createdAt', 'updatedAt', 'steps', 'failed24h']),
    'createdAt',
  ).describe(sortText),
  dir: directionQuery,
});

export const workflowFieldsInput = z.object({
  eventName: eventFilter.meta({ description: 'Only fields of this event.', examples: ['signed_up'] }),
});

export const fieldCategories = ['Contact Fields', 'Custom Data', 'Event Data'] as const;

export const workflowFieldsOutput = z
  .object({
    fields: z
      .array(z.string())
      .meta({ description: 'Names of the fields.', examples: [['contact.email', 'data.plan']] }),
    typedFields: z
      .array(
        z.object({
          field: z.string().meta({ description: 'Name of the field.', examples: ['data.plan'] }),
          type: z.string().meta({ description: 'Type of its values.', examples: ['string'] }),
          category: z.enum(fieldCategories).describe('Where the field comes from.'),
        }),
      )
      .describe('The fields with their types.'),
    count: z
      .int()
      .min(0)
      .meta({ description: 'Number of fields.', examples: [2] }),
  })
  .register(typeNames, { name: 'WorkflowFields' });

export const workflowNameLimit = 100;

const name = requiredName(workflowNameLimit).meta({
  description: 'Name, 1 to 100 characters.',
  examples: ['Onboarding'],
});
const workflowId = workflowReference;

export const createWorkflowInput = z.object({
  name,
  eventName: eventName.meta({
    description: 'Event that starts an execution, 1 to 255 characters.',
    examples: ['signed_up'],
  }),
  description: optionalText(500).meta({
    description: 'Description for the team, at most 500 characters.',
    examples: ['Welcome and tips for new users'],
  }),
  allowReentry: notGiven(z.boolean()).describe(
    'Whether a contact may run through it more than once. Default false.',
  ),
});

export type WorkflowInput = z.output<typeof createWorkflowInput>;

export const workflowIdInput = z.object({ id: workflowId });

export const getWorkflowInput = z.object({
  id: workflowId,
  definition: filterEnum('definition', namedEnum('WorkflowDefinitionName', ['live', 'draft'])).describe(
    'Which definition to show. Default `live`, which is the only one before it is enabled for the first time.',
  ),
});

/** Whether an edit is in force at once. */
const publish = notGiven(z.boolean()).describe(
  'Whether the edit is in force at once, as a new version. With false it goes into the draft. Default true, which is 409 beside a draft. Before the workflow is enabled for the first time there is only one definition.',
);
const publishQuery = queryBoolean('publish').describe(
  'Whether the edit is in force at once, as a new version. With false it goes into the draft. Default true, which is 409 beside a draft.',
);

export const createFromRecipeInput = z.object({
  recipe: namedEnum('WorkflowRecipe', recipeIds).describe('The recipe.'),
  from: senderMailbox.meta({
    description: 'Sender of its emails: an address of a verified domain, or the sandbox sender.',
    examples: ['hello@example.com'],
  }),
  name: notGiven(name).meta({
    description: 'Name of the workflow, 1 to 100 characters. Default the name of the recipe.',
    examples: ['Welcome series'],
  }),
});

export const updateWorkflowInput = z.object({
  id: workflowId,
  name: notGiven(name).meta({ description: 'New name, 1 to 100 characters.', examples: ['Onboarding'] }),
  description: clearable(z.string().trim().max(500)).meta({
    description: 'Description for the team, at most 500 characters.',
    examples: ['Welcome and tips for new users'],
  }),
  alias: clearable(workflowAlias).meta({
    description:
      'Name for programs, unique in the project: 1 to 100 of the characters a-z, 0-9, ".", "_" and "-", beginning with a letter. It can stand for the id in requests.',
    examples: ['onboarding'],
  }),
  triggerType: notGiven(triggerType).describe(
    'What starts an execution. Changing it needs `triggerConfig`, except for `MANUAL`.',
  ),
  triggerConfig: notGiven(triggerConfigInput).describe('Settings of the trigger.'),
  enabled: notGiven(z.boolean()).describe('Whether the trigger starts executions.'),
  allowReentry: notGiven(z.boolean()).describe('Whether a contact may run through it more than once.'),
  errorBudget: notGiven(z.boolean()).describe(
    'Whether it is disabled when too many of its executions fail. It holds at once, for all versions. Default true.',
  ),
  entry: notGiven(entryInput).describe('Who may enter. It is replaced whole: what is absent is null.'),
  timeZone: clearable(timeZone).describe(
    'Time zone of its delays and dates for contacts without one; null for that of the project.',
  ),
  ...endsInput,
  publish,
});

const position = positionShape;

const stepBody = z.object({
  id: workflowId,
  type: stepType.describe('Type of the step. A workflow has its TRIGGER step from the start.'),
  name: name.meta({ description: 'Name of the step, 1 to 100 characters.', examples: ['Wait a day'] }),
  position: position.describe('Place on the canvas.'),
  config: jsonObject.meta({
    description: 'Configuration, by type.',
    examples: [{ amount: 1, unit: 'days' }],
  }),
  templateId: clearable(uuid).describe('Template that a SEND_EMAIL step sends.'),
  autoConnect: notGiven(z.boolean()).describe(
    'Whether to add a transition from the last step. Default true.',
  ),
  publish,
});

/** One schema for each type of step that can be added; the TRIGGER is created with the workflow. */
const stepForms = Object.entries(stepDefinitions)
  .filter(([type]) => type !== 'TRIGGER')
  .map(([type, { config, label, example }]) =>
    z
      .object({
        ...stepBody.shape,
        type: z.literal(type).describe('Type of the step.'),
        config: config.meta({ description: 'Configuration of the step.', examples: [example] }),
      })
      .meta({ title: label }),
  );

export const addStepInput = accepting(stepBody, z.xor(stepForms));

const stepId = { id: workflowId, stepId: uuid.describe('Id of the step.') };

export const updateStepInput = z.object({
  ...stepId,
  name: notGiven(name).meta({ description: 'New name, 1 to 100 characters.', examples: ['Wait a day'] }),
  position: notGiven(position).describe('New place on the canvas.'),
  config: notGiven(jsonObject).meta({
    description: 'New configuration, by type.',
    examples: [{ amount: 2, unit: 'days' }],
  }),
  templateId: clearable(uuid).describe('Template that a SEND_EMAIL step sends.'),
  publish,
});

export const deleteStepInput = z.object({
  ...stepId,
  splice: queryBoolean('splice').describe(
    'Whether to connect the steps before it with the step after it. Default false: steps reachable only through it go too.',
  ),
  publish: publishQuery,
});

/** Whether the step has the branch is a rule of the graph, so an unknown branch is not an invalid field. */
const branchName = notGiven(
  z
    .string()
    .trim()
    .transform((name) => (name === '' ? undefined : name)),
);

export const addTransitionInput = z.object({
  id: workflowId,
  fromStepId: uuid.describe('Step that it leaves.'),
  toStepId: uuid.describe('Step that it leads to.'),
  branch: branchName.meta({
    description: 'Branch of a CONDITION step: `yes`, `no`, a branch id or `default`.',
    examples: ['yes'],
  }),
  waitOutcome: notGiven(waitOutcome).meta({
    description: 'Outcome of a WAIT_FOR_EVENT step.',
    examples: ['TIMEOUT'],
  }),
  priority: notGiven(z.int().min(-1_000_000).max(1_000_000)).meta({
    description: 'Order among the transitions of a step, ascending.',
    examples: [0],
  }),
  condition: notGiven(
    z.object({ branch: branchName.meta({ description: 'The branch.', examples: ['yes'] }) }),
  ).describe('Another way to give `branch`.'),
  publish,
});

export const deleteTransitionInput = z.object({
  id: workflowId,
  transitionId: uuid.describe('Id of the transition.'),
  publish: publishQuery,
});

const graphStep = z.object({
  id: uuid.describe(
    'Id of the step: that of an existing step, which is kept, or one of your own for a new step.',
  ),
  type: stepType.describe('Type of the step. An existing step keeps its type.'),
  name: name.meta({ description: 'Name of the step, 1 to 100 characters.', examples: ['Wait a day'] }),
  position: position.describe('Place on the canvas.'),
  config: jsonObject.meta({
    description: 'Configuration, by type. That of the TRIGGER comes from the workflow and is ignored.',
    examples: [{ amount: 1, unit: 'days' }],
  }),
  templateId: clearable(uuid).describe('Template that a SEND_EMAIL step sends.'),
});

const graphTransition = z.object({
  fromStepId: uuid.describe('Step that it leaves.'),
  toStepId: uuid.describe('Step that it leads to.'),
  branch: clearable(z.string()).meta({
    description: 'Branch of a CONDITION step: `yes`, `no`, a branch id or `default`.',
    examples: ['yes'],
  }),
  waitOutcome: clearable(waitOutcome).meta({
    description: 'Outcome of a WAIT_FOR_EVENT step.',
    examples: ['TIMEOUT'],
  }),
  priority: notGiven(z.int().min(-1_000_000).max(1_000_000)).meta({
    description: 'Order among the transitions of a step, ascending.',
    examples: [0],
  }),
});

/** A step has at most one transition for each of its branches, and the default one. */
const maxTransitions = maxSteps * (maxBranches + 1);

export const replaceGraphInput = z.object({
  id: workflowId,
  ifUpdatedAt: notGiven(z.iso.datetime()).meta({
    description:
      '`updatedAt` of the draft that the graph is based on, or of the workflow if it has none. If it has changed since, the request is 409.',
    examples: ['2026-03-01T09:30:00.000Z'],
  }),
  steps: z.array(graphStep).min(1).max(maxSteps).describe('All steps, the TRIGGER included.'),
  transitions: z.array(graphTransition).max(maxTransitions).describe('All transitions.'),
  publish,
});

export type GraphStepInput = z.output<typeof graphStep>;
export type GraphTransitionInput = z.output<typeof graphTransition>;
