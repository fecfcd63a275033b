import { z } from 'zod';
import { contactIdText, contactReference } from '../../audience/contacts/reference.schema.ts';
import { workflowReference } from '../../automation/workflows/workflow-reference.schema.ts';
import {
  isoDate,
  logged,
  namedEnum,
  notGiven,
  recordId,
  typeNames,
  uuid,
} from '../../base/kernel/schemas.ts';
import { waitFields } from '../../mail/sending/schedule.schema.ts';
import { causes } from './checks/check.rules.ts';

const other = ['campaign', 'workflow', 'segment'] as const;

/** What is asked about: an email, or a contact, alone or with one of three records. */
export const explainInput = z
  .object({
    email: notGiven(uuid).describe('Id of the email to explain.').register(logged, { as: 'email' }),
    contact: notGiven(contactReference).meta(contactIdText('The contact to explain')),
    campaign: notGiven(uuid).describe(
      'Id of a campaign: why the contact got it, or did not. Beside `contact`.',
    ),
    workflow: notGiven(workflowReference).describe(
      'Id or alias of a workflow: why the contact is in it, or is not. Beside `contact`.',
    ),
    segment: notGiven(uuid).describe(
      'Id of a segment: why the contact is a member, or is not. Beside `contact`.',
    ),
  })
  .superRefine((input, ctx) => {
    const refuse = (path: string, code: string, message: string) =>
      ctx.addIssue({ code: 'custom', path: [path], params: { code }, message, input: undefined });
    const given = other.filter((name) => input[name] !== undefined);
    const [first, second] = given;
    if (input.email !== undefined) {
      const more = input.contact === undefined ? first : 'contact';
      if (more) refuse(more, 'custom', 'Not beside email: ask about an email, or about a contact');
    } else if (input.contact === undefined) {
      if (first) refuse('contact', 'required', `Required beside ${first}`);
      else refuse('email', 'required', 'Give email, or contact');
    } else if (second)
      refuse(second, 'custom', `Not beside ${first}: ask about one of campaign, workflow and segment`);
  });

/** What is the answer, by what was asked about. */
export const verdict = namedEnum('ExplanationVerdict', [
  'DELIVERED',
  'SENT',
  'WAITING',
  'SKIPPED',
  'FAILED',
  'BOUNCED',
  'UNCERTAIN',
  'NOT_CREATED',
  'ENTERED',
  'NOT_ENTERED',
  'MEMBER',
  'NOT_MEMBER',
  'REACHABLE',
  'PARTLY',
  'UNREACHABLE',
]);

const outcome = namedEnum('ExplanationOutcome', ['passed', 'stopped', 'waiting', 'information', 'unknown']);
const actorType = namedEnum('ExplanationActorType', ['user', 'key', 'system', 'recipient', 'server']);
const refType = namedEnum('ExplanationRefType', [
  'email',
  'contact',
  'campaign',
  'workflow',
  'execution',
  'segment',
  'template',
  'domain',
]);

const anyObject = z.record(z.string(), z.unknown());

const explanationActor = z
  .object({
    type: actorType.describe(
      'What acted: a user or key of the project, Postrider, the recipient, or a receiving server.',
    ),
    id: recordId
      .nullable()
      .describe('Id of the user, the named key or the contact; null where there is none.'),
    label: z.string().meta({
      description: 'Address of the user or recipient, name of the key, or the kind of actor.',
      examples: ['jane@example.com'],
    }),
  })
  .register(typeNames, { name: 'ExplanationActor' });

const explanationRef = z
  .object({
    type: refType.describe('Kind of the record.'),
    id: recordId.describe('Id of the record.'),
  })
  .register(typeNames, { name: 'ExplanationRef' });

export const explanationLink = z
  .object({
    at: isoDate.nullable().describe('When it happened; null for what holds at present.'),
    check: z.string().meta({ description: 'What was looked at.', examples: ['suppression'] }),
    outcome: outcome.describe(
      'Whether the email or contact got past it, was stopped or waits there; `information` for what decides nothing, `unknown` for what is not recorded, or no longer.',
    ),
    text: z.string().meta({
      description: 'What is recorded, in words.',
      examples: ['Email to the address bounced, so it was put on the suppression list'],
    }),
    facts: anyObject.meta({ description: 'The recorded values.', examples: [{ reason: 'BOUNCE' }] }),
    actor: explanationActor
      .nullable()
      .describe('Who did it; null where nobody did, or that is not recorded.'),
    ref: explanationRef.nullable().describe('The record that it is about; null for the one asked about.'),
  })
  .register(typeNames, { name: 'ExplanationLink' });

export const explanationNext = z
  .object({
    action: z.string().meta({
      description:
        'Registry name of the operation that would change the answer, as in the names of the SDK; `none` where nothing is to be done, such as after an opt-out.',
      examples: ['contacts.deleteSuppression'],
    }),
    text: z.string().meta({
      description: 'What to do, in words.',
      examples: ['If the mailbox works again, take the address off the suppression list'],
    }),
    input: anyObject.nullable().meta({
      description: 'What is known of the input of the operation; null without.',
      examples: [{ email: 'ann@example.net' }],
    }),
    url: z
      .string()
      .nullable()
      .meta({
        description: 'The page of the dashboard for it; null without one.',
        examples: ['https://mail.example.com/p/0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90/contacts/suppressions'],
      }),
  })
  .register(typeNames, { name: 'ExplanationNext' });

const asked = recordId.nullable();

export const explanation = z
  .object({
    question: z
      .object({
        email: asked.describe('The email that was asked about, or that the campaign has for the contact.'),
        contact: asked.describe('The contact; null for an address without one, and for an email without.'),
        address: z
          .string()
          .nullable()
          .meta({ description: 'The address; null once it is erased.', examples: ['ann@example.net'] }),
        campaign: asked.describe('The campaign.'),
        workflow: asked.describe('The workflow.'),
        execution: asked.describe('The newest execution of the contact in the workflow.'),
        segment: asked.describe('The segment.'),
      })
      .register(typeNames, { name: 'ExplanationQuestion' })
      .describe('What the answer is about.'),
    verdict: verdict.describe(
      'Where it is. Of an email `DELIVERED` (also opened, clicked and marked as spam), `SENT` (accepted, nothing more is known), `WAITING`, `SKIPPED`, `FAILED`, `BOUNCED`, `UNCERTAIN`; with a campaign also `NOT_CREATED`; with a workflow `ENTERED`, `NOT_ENTERED`; with a segment `MEMBER`, `NOT_MEMBER`; of a contact alone `REACHABLE`, `PARTLY` (transactional email alone), `UNREACHABLE`.',
    ),
    headline: z.string().meta({
      description: 'The answer in one sentence.',
      examples: ['The address is on the suppression list, because email to it bounced'],
    }),
    cause: z
      .string()
      .nullable()
      .meta({
        description: `Why: ${causes.map((cause) => `\`${cause}\``).join(', ')}. Null where there is nothing to explain. There may be more in the future.`,
        examples: ['suppressed'],
      }),
    chain: z
      .array(explanationLink)
      .describe('What is recorded that led there, oldest first, what holds at present last; at most 100.'),
    next: z.array(explanationNext).describe('What would change it, the most useful first; at most 3.'),
    heldBy: waitFields.heldBy,
    estimatedSendAt: waitFields.estimatedSendAt,
  })
  .register(typeNames, { name: 'Explanation' });
