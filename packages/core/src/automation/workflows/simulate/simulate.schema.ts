import { z } from 'zod';
import { contactData } from '../../../audience/contacts/contacts.schema.ts';
import { contactIdText, contactReference } from '../../../audience/contacts/reference.schema.ts';
import { eventName } from '../../../audience/events/events.schema.ts';
import { filterTree } from '../../../audience/segments/filters.schema.ts';
import { emailAddress, isoDate, namedEnum, notGiven, typeNames, uuid } from '../../../base/kernel/schemas.ts';
import { executionDetail, startExecutionInput, stepExecution } from '../executions.schema.ts';
import { stepType } from '../steps/steps.schema.ts';
import { versionNumber } from '../versions/versions.schema.ts';

export const simulationModes = ['CONTACT', 'SAMPLE', 'REPLAY'] as const;
export type SimulationMode = (typeof simulationModes)[number];

/** The most people of a simulation. */
export const mostSimulated = 10_000;
export const mostReplayedDays = 30;
export const mostGivenEvents = 50;

const dayMs = 86_400_000;

const moment = z.iso.datetime({ offset: true });

/** Further away, calendars and zones say nothing that anybody means. */
const startAt = moment.refine((text) => Math.abs(Date.parse(text) - Date.now()) <= 5 * 365 * dayMs, {
  params: { code: 'invalid_range' },
  message: 'At most five years from now',
});

const keyOfStep = z.string().max(60);

const answer = z.union([
  z.literal('LAST'),
  z.strictObject({
    statusCode: z
      .int()
      .min(100)
      .max(599)
      .meta({ description: 'HTTP status of the answer.', examples: [200] }),
    response: z
      .unknown()
      .optional()
      .meta({ description: 'Its body, as JSON. Default none.', examples: [{ tier: 'gold' }] }),
  }),
]);

const fields = {
  id: uuid.describe('Id of the workflow.'),
  definition: notGiven(
    z.union([z.enum(['live', 'draft']), versionNumber, z.record(z.string(), z.unknown())]),
  ).meta({
    description:
      'What is simulated: `live`, `draft`, the number of a version, or a document as `export` writes it. Default the draft if there is one.',
    examples: ['draft'],
  }),
  mode: namedEnum('SimulationMode', simulationModes).describe(
    'Whom: `CONTACT`, one contact, stored or invented; `SAMPLE`, contacts that all begin at `startAt`; `REPLAY`, those whom the trigger would have entered in the last days, each at its time.',
  ),
  seed: notGiven(z.int().min(0).max(2_147_483_647)).meta({
    description: 'What decides all draws. The same request gives the same reply. Default drawn.',
    examples: [7],
  }),
  startAt: notGiven(startAt).meta({
    description: 'The time at which it begins, and up to which a `REPLAY` goes. Default now.',
    examples: ['2026-03-01T09:00:00.000Z'],
  }),
  contactId: notGiven(contactReference).meta(contactIdText('The contact of a `CONTACT`')),
  contact: notGiven(
    z.object({
      email: emailAddress.describe('Address of the contact.'),
      data: contactData('stored-only'),
      subscribed: notGiven(z.boolean()).describe('Whether it receives marketing email. Default true.'),
    }),
  ).describe('A contact that does not exist, in place of `contactId`.'),
  context: startExecutionInput.shape.context,
  events: notGiven(
    z
      .array(
        z.object({
          eventName: eventName.meta({ description: 'Name of the event.', examples: ['order.paid'] }),
          data: notGiven(z.record(z.string(), z.unknown())).meta({
            description: 'Data of the event.',
            examples: [{ total: 80 }],
          }),
          at: moment.meta({ description: 'When it happens.', examples: ['2026-03-02T10:00:00.000Z'] }),
        }),
      )
      .max(mostGivenEvents),
  ).describe('What happens to the contact of a `CONTACT`, at most 50 events.'),
  sample: notGiven(z.int().min(1).max(mostSimulated)).meta({
    description: 'How many contacts of a `SAMPLE` are drawn, 1 to 10,000. Default 1,000.',
    examples: [1_000],
  }),
  segmentId: notGiven(uuid).describe('Segment that a `SAMPLE` is drawn from. Default all contacts.'),
  filter: notGiven(filterTree).describe('Filter tree that a `SAMPLE` is drawn by, in place of `segmentId`.'),
  waits: notGiven(z.record(keyOfStep, z.number().min(0).max(100))).meta({
    description:
      'By the key of a WAIT_FOR_EVENT step: for what percentage of a `SAMPLE` the event comes. Default the share of the last 90 days, else 50.',
    examples: [{ 'wait-paid': 30 }],
  }),
  days: notGiven(z.int().min(1).max(mostReplayedDays)).meta({
    description: 'How many days before `startAt` a `REPLAY` begins, 1 to 30. Default 30.',
    examples: [30],
  }),
  webhooks: notGiven(z.record(keyOfStep, answer)).meta({
    description:
      'By the key of a WEBHOOK step: its answer, or `LAST` for what it answered last to the contact. Default 200 without a body. No request is made.',
    examples: [{ crm: { statusCode: 200, response: { tier: 'gold' } } }],
  }),
};

/** The fields that mean something in one mode alone. */
const ofMode: Readonly<Record<SimulationMode, readonly (keyof typeof fields)[]>> = {
  CONTACT: ['contactId', 'contact', 'context', 'events'],
  SAMPLE: ['sample', 'segmentId', 'filter', 'waits'],
  REPLAY: ['days'],
};

export const simulateInput = z.object(fields).superRefine((given, ctx) => {
  const complain = (field: string, code: string, message: string): void => {
    ctx.addIssue({ code: 'custom', path: [field], params: { code }, message });
  };
  for (const mode of simulationModes)
    for (const field of mode === given.mode ? [] : ofMode[mode])
      if (given[field] !== undefined) complain(field, 'custom', `Only in the mode ${mode}`);
  if (given.mode === 'CONTACT' && given.contactId === undefined && given.contact === undefined)
    complain('contactId', 'required', 'Required, or an invented contact in `contact`');
  if (given.contactId !== undefined && given.contact !== undefined)
    complain('contact', 'custom', 'Either `contactId` or `contact`, not both');
  if (given.segmentId !== undefined && given.filter !== undefined)
    complain('filter', 'custom', 'Either `segmentId` or `filter`, not both');
});

const count = (description: string, example = 0) =>
  z
    .int()
    .min(0)
    .meta({ description, examples: [example] });

const keyText = z.string().meta({ description: 'Key of the step.', examples: ['welcome'] });

const simulatedStep = stepExecution
  .extend({ stepKey: keyText })
  .register(typeNames, { name: 'SimulatedStepExecution' });

const simulatedExecution = executionDetail
  .extend({ stepExecutions: z.array(simulatedStep).describe('Steps that it would take, in order of start.') })
  .register(typeNames, { name: 'SimulatedExecution' });

const stepFigures = z
  .object({
    stepKey: keyText,
    name: z.string().meta({ description: 'Name of the step.', examples: ['Welcome'] }),
    type: stepType.describe('Type of the step.'),
    entered: count('Executions that reach it.', 1_000),
    left: count('Of these, those that complete it.', 980),
    failed: count('Of these, those that fail at it.'),
    here: count('Of these, those that are still there at the end.', 20),
    medianSeconds: z
      .int()
      .min(0)
      .nullable()
      .meta({
        description: 'How long half of them take at most, in seconds; null where nobody completes it.',
        examples: [86_400],
      }),
    branches: z
      .array(
        z
          .object({
            branch: z.string().meta({ description: 'Branch or outcome.', examples: ['yes'] }),
            taken: count('Executions that take it.', 420),
            share: z
              .number()
              .meta({ description: 'The same in percent of those that leave the step.', examples: [42.86] }),
          })
          .register(typeNames, { name: 'SimulatedBranch' }),
      )
      .describe('Its ways out, where it has several.'),
  })
  .register(typeNames, { name: 'SimulatedStepFigures' });

export const warningCodes = [
  'fields_of_today',
  'event_not_stored',
  'external_answer',
  'content_changed',
  'ends_by_event',
  'source_not_stored',
  'sampled',
] as const;

const simulatedEnds = z
  .object({
    completed: count('Executions that come to their end.', 900),
    exited: count('Executions that leave early.', 60),
    failed: count('Executions that fail.'),
    cancelled: count('Always 0.'),
  })
  .register(typeNames, { name: 'SimulatedEnds' });

const emailsPerPerson = z
  .object({
    median: count('Emails that half of the people get at most.', 2),
    p95: count('The same for 95 of 100.', 3),
    max: count('The most that one gets.', 4),
  })
  .register(typeNames, { name: 'SimulatedPerPerson' });

const simulatedEmails = z
  .object({
    written: count('Emails that steps write, skipped ones included.', 1_800),
    perDay: z
      .array(
        z
          .object({
            day: z
              .string()
              .meta({ description: 'Day in the time zone of the project.', examples: ['2026-03-01'] }),
            count: count('Emails that are sent on it.', 420),
          })
          .register(typeNames, { name: 'SimulatedDay' }),
      )
      .describe('Emails that are sent, by day.'),
    perPerson: emailsPerPerson.describe('Emails that a person gets.'),
    capped: count('Emails that wait for the caps of their contact, or are skipped by them.', 12),
    quiet: count('Emails that wait for the end of quiet hours alone.', 40),
    skipped: z
      .record(z.string(), z.int())
      .meta({ description: 'Emails that are skipped, by reason.', examples: [{ unsubscribed: 31 }] }),
  })
  .register(typeNames, { name: 'SimulatedEmails' });

export const simulation = z
  .object({
    mode: namedEnum('SimulationMode', simulationModes).describe('Whom it is of.'),
    definition: z
      .union([z.enum(['live', 'draft', 'document']), z.int()])
      .meta({ description: 'What was simulated; the number of a version.', examples: ['draft'] }),
    people: count('Contacts that enter.', 1_000),
    executions: z
      .array(simulatedExecution)
      .describe(
        'The execution of a `CONTACT` with each step, time and decision, and the subjects of its emails; else up to 20 examples, of each way through the steps first.',
      ),
    steps: z.array(stepFigures).describe('Numbers of each step.'),
    ended: simulatedEnds.describe('How they end; those that go on are not among them.'),
    emails: simulatedEmails.describe('Emails. Limits per contact are those of the project.'),
    requests: count('Requests that WEBHOOK steps would make.', 120),
    warnings: z
      .array(
        z
          .object({
            code: z
              .enum(warningCodes)
              .describe(
                '`fields_of_today`: contacts are as they are now. `event_not_stored`: what emails cause is not known. `external_answer`: answers are assumed. `content_changed`: a template is another one now. `ends_by_event`: some events of goals and exit rules do not happen, or are compared with another time. `source_not_stored`: how contacts were created is not known. `sampled`: some of many were drawn.',
              ),
            text: z.string().meta({
              description: 'The same in words.',
              examples: ['120 requests were taken for answered'],
            }),
            count: count('How often it matters.', 120),
          })
          .register(typeNames, { name: 'SimulationWarning' }),
      )
      .describe('What a simulation cannot know.'),
    seed: z.int().meta({ description: 'The seed, with which the reply can be had again.', examples: [7] }),
    startAt: isoDate.describe('The time at which it began.'),
    stopped: z.boolean().meta({
      description: 'It took too long and was stopped: this is what was known by then.',
      examples: [false],
    }),
  })
  .register(typeNames, { name: 'WorkflowSimulation' });
