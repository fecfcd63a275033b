import { z } from 'zod';
import { filterTreeForm } from '../../../audience/segments/filter-forms.schema.ts';
import {
  accepting,
  namedEnum,
  notGiven,
  requiredName,
  requiredText,
  timeZone,
  typeNames,
} from '../../../base/kernel/schemas.ts';
import { mostWorkflowGoals } from '../definitions/ends.rules.ts';
import { documentExits, effect, refineJump, toStepKey } from '../definitions/ends.schema.ts';
import { isStepKey } from '../definitions/step-keys.rules.ts';
import { entryInterval, entryLimit } from '../entries/entry.schema.ts';
import { waitOutcome } from '../executions.schema.ts';
import { maxBranches } from '../steps/condition.step.ts';
import { stepType } from '../steps/steps.schema.ts';
import { triggerConfigInput, triggerType } from '../triggers/triggers.schema.ts';
import { workflowAlias, workflowReference } from '../workflow-reference.schema.ts';
import { maxSteps, workflowNameLimit } from '../workflows.schema.ts';
import { documentFormat } from './document.rules.ts';

const name = requiredName(workflowNameLimit);

const stepKey = z
  .string()
  .refine(isStepKey, { params: { code: 'invalid_string' }, message: '1 to 60 characters of a-z, 0-9 and -' })
  .meta({ description: 'Key of the step.', examples: ['welcome'] });

const position = z
  .object({
    x: z.number().meta({ description: 'Horizontal place, in pixels.', examples: [0] }),
    y: z.number().meta({ description: 'Vertical place, in pixels.', examples: [120] }),
  })
  .describe('Place on the canvas.');

const { segmentId: _, filter: __, ...triggerFields } = triggerConfigInput.shape;

/** A filter whose references are names; it is read when they are known. */
const namedFilter = notGiven(accepting(z.unknown(), filterTreeForm));

const reference = (prefix: string) => requiredText(300).meta({ examples: [`${prefix}:welcome`] });

const documentGoal = z
  .object({ goal: reference('goal').describe('The goal: `goal:<name>`.'), effect, toStepKey })
  .superRefine(refineJump);

export const importWorkflowInput = z.object({
  format: z.literal(documentFormat).describe('The format of the document.'),
  name: name.meta({ description: 'Name, 1 to 100 characters.', examples: ['Onboarding'] }),
  description: notGiven(z.string().trim().max(500)).meta({
    description: 'Description for the team, at most 500 characters.',
    examples: ['Welcome and tips for new users'],
  }),
  trigger: z
    .object({
      type: triggerType.describe('What starts an execution.'),
      ...triggerFields,
      segment: notGiven(reference('segment')).describe(
        'Segment whose members enter at each time of a `SCHEDULE`: `segment:<slug>`.',
      ),
      filter: namedFilter.describe(
        'In place of `segment`: the contacts that match this filter enter at each time of a `SCHEDULE`. Segments are `segment:<slug>`, templates and workflows `template:<alias>` and `workflow:<alias>`.',
      ),
      name: notGiven(name).meta({ description: 'Name of the TRIGGER step.', examples: ['Start'] }),
      position: notGiven(position),
    })
    .describe('What starts an execution, with its settings.'),
  allowReentry: notGiven(z.boolean()).describe(
    'Whether a contact may run through it more than once. Default false.',
  ),
  alias: notGiven(workflowAlias).meta({
    description: 'Name for programs, unique in the project. One that another workflow has is left out.',
    examples: ['onboarding'],
  }),
  entry: notGiven(
    z.object({
      filter: namedFilter.describe('Only contacts that match this filter; references are names.'),
      limit: notGiven(entryLimit).describe('The most entries of a contact.'),
      every: notGiven(entryInterval).describe('How long ago its last entry must be.'),
    }),
  ).describe('Who may enter.'),
  timeZone: notGiven(timeZone).describe('Time zone of its delays and dates for contacts without one.'),
  goals: notGiven(z.array(documentGoal).max(mostWorkflowGoals)).describe('Goals of the workflow.'),
  exits: notGiven(documentExits).describe(
    'Rules that end executions. In their conditions, `segment:<slug>` names a segment.',
  ),
  steps: z
    .array(
      z.object({
        key: stepKey,
        type: stepType.describe('Type of the step; the TRIGGER is not among the steps.'),
        name: notGiven(name).meta({
          description: 'Name of the step. Default its key.',
          examples: ['Welcome'],
        }),
        config: z.record(z.string(), z.unknown()).meta({
          description: 'Configuration, by type.',
          examples: [{ amount: 1, unit: 'days' }],
        }),
        template: notGiven(reference('template')).describe(
          'Template that a SEND_EMAIL step sends: `template:<alias>`.',
        ),
        position: notGiven(position),
      }),
    )
    .max(maxSteps - 1)
    .describe('The steps.'),
  transitions: z
    .array(
      z.object({
        from: stepKey.describe('Key of the step that it leaves; `trigger` for the TRIGGER step.'),
        to: stepKey.describe('Key of the step that it leads to.'),
        branch: notGiven(z.string()).meta({ description: 'Branch of a CONDITION step.', examples: ['yes'] }),
        outcome: notGiven(waitOutcome).describe('Outcome of a WAIT_FOR_EVENT step.'),
        priority: notGiven(z.int().min(-1_000_000).max(1_000_000)).meta({
          description: 'Order among the transitions of a step, ascending.',
          examples: [0],
        }),
      }),
    )
    .max(maxSteps * (maxBranches + 1))
    .describe('The transitions.'),
});

export const exportWorkflowInput = z.object({
  id: workflowReference,
  format: notGiven(namedEnum('WorkflowDocumentFormat', ['json', 'typescript'])).describe(
    'Spelling of the document: JSON, which is the default, or a module of TypeScript that makes the same document with `@postrider/sdk/workflow`.',
  ),
});

export const exportedWorkflow = z
  .object({
    format: namedEnum('WorkflowDocumentFormat', ['json', 'typescript']).describe('Spelling of the document.'),
    text: z.string().meta({
      description: 'The document, as a file has it.',
      examples: ['{\n  "format": "postrider-workflow/1"\n}\n'],
    }),
  })
  .register(typeNames, { name: 'ExportedWorkflow' });
