import { z } from 'zod';
import {
  accepting,
  cursorListOf,
  cursorQuery,
  emailAddress,
  isoDate,
  jobOf,
  namedEnum,
  notGiven,
  optionalText,
  recordId,
  typeNames,
  uuid,
} from '../../base/kernel/schemas.ts';
import { auditActor } from '../../people/audit/audit.schema.ts';

const address = emailAddress.meta({ description: 'Address of the person.', examples: ['jane@example.com'] });
const contactId = uuid.describe('Id of the contact.');
const reason = optionalText(200).meta({
  description: 'Why, for the receipt. At most 200 characters; the address itself is removed from it.',
  examples: ['Request of 28 November'],
});

const whom = {
  email: notGiven(address).describe('Address of the person. Required unless `contactId` is given.'),
  contactId: notGiven(contactId).describe('Id of the contact, instead of the address.'),
};

function checkWhom(
  { email, contactId }: { email?: string | undefined; contactId?: string | undefined },
  ctx: z.core.$RefinementCtx,
): void {
  const complain = (field: string, code: string, message: string): void =>
    ctx.addIssue({ code: 'custom', params: { code }, path: [field], message });
  if (email === undefined && contactId === undefined)
    complain('email', 'required', 'Required, unless `contactId` is given');
  if (email !== undefined && contactId !== undefined)
    complain('contactId', 'custom', 'Give either the address or the contact, not both');
}

export const exportPersonInput = accepting(
  z.object(whom).superRefine(checkWhom),
  z.xor([
    z.object({ email: address }).meta({ title: 'By address' }),
    z.object({ contactId }).meta({ title: 'By contact' }),
  ]),
);

export const erasePersonInput = accepting(
  z.object({ ...whom, reason }).superRefine(checkWhom),
  z.xor([
    z.object({ email: address, reason }).meta({ title: 'By address' }),
    z.object({ contactId, reason }).meta({ title: 'By contact' }),
  ]),
);

export const personExportInput = z.object({
  jobId: z.string().meta({
    description: 'Id of the export, from the reply that started it.',
    format: 'uuid',
  }),
});

export const personExportJob = jobOf(
  z.object({
    records: z
      .int()
      .min(0)
      .meta({ description: 'Records in the document.', examples: [42] }),
  }),
).register(typeNames, { name: 'PersonExportJob' });

const anything = z.record(z.string(), z.unknown());
const list = (description: string, example: Record<string, unknown>) =>
  z.array(anything).meta({ description, examples: [[example]] });
const one = (description: string, example: Record<string, unknown>) =>
  anything.nullable().meta({ description, examples: [example] });

/** The document about a person. It grows with what is stored, so its records are not described further. */
export const personDocument = z
  .object({
    exportedAt: isoDate.describe('When it was written.'),
    project: anything.meta({ description: 'The project.', examples: [{ name: 'Example Shop' }] }),
    person: anything.meta({
      description: 'The address, and the id of the contact; null without one.',
      examples: [{ email: 'jane@example.com', contactId: null }],
    }),
    contact: one('The contact with its data and choices; null without one.', { email: 'jane@example.com' }),
    suppression: one('Why nothing is sent to the address; null if it is not suppressed.', {
      reason: 'BOUNCE',
    }),
    optOut: one('The opt-out that outlives a contact; null without one.', { byRecipient: true }),
    consentActs: list('What was said about email, newest first, with the words that were shown.', {
      action: 'subscribe',
    }),
    subscriptionRequests: list('Subscriptions that waited for a confirmation.', { status: 'CONFIRMED' }),
    emails: list('Emails to the contact, with their texts while these are stored, and interactions.', {
      subject: 'Welcome',
    }),
    emailsToTheAddress: list('Emails to the address that are not those of the contact.', {
      subject: 'Welcome',
    }),
    events: list('Events of the contact.', { name: 'order.paid' }),
    segments: list('Segments that the contact is or was a member of.', { name: 'Customers' }),
    executions: list('What workflows did for the contact.', { status: 'COMPLETED' }),
    webhookDeliveries: list('What endpoints were told about the contact.', { type: 'email.sent' }),
  })
  .meta({ 'x-name': 'PersonDocument' });

export const erasureStatus = namedEnum('ErasureStatus', ['RUNNING', 'COMPLETED']);

export const erasure = z
  .object({
    id: recordId.describe('Id of the erasure.'),
    status: erasureStatus.describe(
      '`RUNNING` until a check has found nothing of the person, which can take 8 days.',
    ),
    addressHash: z.string().meta({
      description: 'Keyed hash of the address, the same for each erasure of it in this project.',
      examples: ['8c6976e5b5410415bde908bd4dee15df'],
    }),
    actor: auditActor.describe('Who asked for it.'),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why, as it was given.', examples: ['Request of 28 November'] }),
    requestedAt: isoDate.describe('When it was asked for.'),
    completedAt: isoDate.nullable().describe('When a check found nothing more; null until then.'),
    removed: z.record(z.string(), z.int()).meta({
      description: 'By kind of record, how many were removed, or lost what names the person.',
      examples: [{ contacts: 1, emails: 12, events: 30 }],
    }),
    kept: z
      .array(
        z.object({
          record: z.string().meta({ description: 'Kind of record.', examples: ['optOut'] }),
          why: z.string().meta({
            description: 'What of it stays, and why.',
            examples: ['A keyed hash of the address: it stays unsubscribed if it returns'],
          }),
        }),
      )
      .describe('What stays, once it is completed.'),
    remaining: z
      .int()
      .min(0)
      .meta({ description: 'Records that the last check still found.', examples: [0] }),
  })
  .register(typeNames, { name: 'Erasure' });

export const erasureIdInput = z.object({ id: uuid.describe('Id of the erasure.') });
export const listErasuresInput = z.object(cursorQuery);
export const erasureList = cursorListOf(erasure);
