import { z } from 'zod';
import {
  approvalStatus,
  cursorListOf,
  cursorQuery,
  filterEnum,
  isoDate,
  notGiven,
  recordId,
  typeNames,
  uuid,
} from '../../base/kernel/schemas.ts';
import { auditActor } from '../../people/audit/audit.schema.ts';

const anything = z.record(z.string(), z.unknown());

export const approval = z
  .object({
    id: recordId.describe('Id of the approval.'),
    operation: z
      .string()
      .meta({ description: 'Registry name of the operation.', examples: ['campaigns.send'] }),
    campaignId: recordId.nullable().describe('The campaign that it is about; null for any other call.'),
    summary: z.string().meta({
      description:
        'What will happen, in a sentence: the object and the number of people. It quotes what others wrote.',
      examples: ['Send the campaign “Spring” to 1,204 people'],
    }),
    input: anything.nullable().meta({
      description: 'What the operation is given, exactly as it was asked for.',
      examples: [{ id: '0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90' }],
    }),
    hash: z.string().meta({
      description: 'Of the operation, its input, and the records that they name: what a person agrees to.',
      examples: ['9b2c7f0d3a1e4c5b6d7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5'],
    }),
    requestedBy: auditActor.describe('Who asked.'),
    note: z
      .string()
      .nullable()
      .meta({ description: 'Note of who asked.', examples: ['For the spring sale'] }),
    status: approvalStatus.describe('What became of it.'),
    result: anything.nullable().meta({
      description: 'The reply of the call, once it was carried out.',
      examples: [{ success: true }],
    }),
    error: anything.nullable().meta({
      description: 'Why it was not carried out: `changed` when a record that it names has changed since.',
      examples: [{ code: 'changed', message: 'What was asked for has changed' }],
    }),
    decidedBy: auditActor.nullable().describe('Who decided; null before that.'),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why it was declined.', examples: ['Wrong audience'] }),
    createdAt: isoDate.describe('When it was asked for.'),
    expiresAt: isoDate.nullable().describe('Until when a person can agree; null without end.'),
    decidedAt: isoDate.nullable().describe('When a person decided; null before that.'),
  })
  .register(typeNames, { name: 'Approval' });

export const approvalIdInput = z.object({ id: uuid.describe('Id of the approval.') });
export const listApprovalsInput = z.object({
  ...cursorQuery,
  status: filterEnum('status', approvalStatus).describe('Only approvals in this state.'),
});
export const approvalList = cursorListOf(approval);

export const approveInput = z.object({
  id: uuid.describe('Id of the approval.'),
  hash: z
    .string()
    .max(100)
    .meta({
      description: '`hash` of the approval that was read: what is agreed to.',
      examples: ['9b2c7f0d3a1e4c5b6d7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5'],
    }),
});
export const declineInput = z.object({
  id: uuid.describe('Id of the approval.'),
  reason: notGiven(z.string().trim().max(500)).meta({
    description: 'Why, for who asked; at most 500 characters.',
    examples: ['Wrong audience'],
  }),
});

const count = (description: string) =>
  z
    .int()
    .min(0)
    .meta({ description, examples: [3] });

export const approvalPreview = z
  .object({
    refusal: z
      .object({
        code: z.string().meta({ description: 'Code of the error.', examples: ['CONFLICT'] }),
        message: z.string().meta({ description: 'What it says.', examples: ['The segment is in use'] }),
      })
      .register(typeNames, { name: 'ApprovalRefusal' })
      .nullable()
      .describe('Why the call would be refused now; null if it would be carried out.'),
    reply: anything.nullable().meta({
      description: 'The reply of the dry run.',
      examples: [{ success: true }],
    }),
    total: count('Emails that would be made, or contacts of the audience.'),
    recipients: z
      .array(
        z
          .object({
            to: z.string().meta({ description: 'Address.', examples: ['customer@example.com'] }),
            reason: z
              .string()
              .nullable()
              .meta({ description: 'Why it would be skipped; null if not.', examples: ['suppressed'] }),
          })
          .register(typeNames, { name: 'ApprovalRecipient' }),
      )
      .describe('The first of them.'),
    email: z
      .object({
        from: z.string().meta({ description: 'Sender.', examples: ['hello@example.com'] }),
        subject: z.string().meta({ description: 'Subject.', examples: ['Welcome'] }),
        html: z
          .string()
          .meta({ description: 'Body as its first recipient would get it.', examples: ['<p>Welcome</p>'] }),
      })
      .register(typeNames, { name: 'ApprovalEmail' })
      .nullable()
      .describe('The email that would be sent; null if there is none.'),
    workflows: z
      .array(
        z
          .object({
            id: recordId.describe('Id of the workflow.'),
            name: z.string().meta({ description: 'Its name.', examples: ['Welcome series'] }),
          })
          .register(typeNames, { name: 'ApprovalWorkflow' }),
      )
      .describe('Workflows that would start or go on.'),
  })
  .register(typeNames, { name: 'ApprovalPreview' });
