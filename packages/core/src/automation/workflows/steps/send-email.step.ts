import { z } from 'zod';
import { clearable, isEmailAddress, normalizeAddress, notGiven, uuid } from '../../../base/kernel/schemas.ts';
import { defineStep, hasTemplateTags } from './step.rules.ts';

const customEmail = z
  .string()
  .trim()
  .max(1_000)
  .transform((text) => (hasTemplateTags(text) ? text : normalizeAddress(text)))
  .refine((text) => text !== '', { params: { code: 'required' }, message: 'Required', abort: true })
  .refine((text) => hasTemplateTags(text) || isEmailAddress(text), {
    params: { code: 'invalid_string' },
    message: 'Invalid email address',
  });

const recipient = z
  .object({
    type: z.enum(['CONTACT', 'CUSTOM']).describe('The contact, or an address of its own.'),
    customEmail: notGiven(customEmail).meta({
      description: 'Address or Liquid template of one. Required by `CUSTOM`.',
      examples: ['sales@example.com'],
    }),
  })
  .refine(({ type, customEmail }) => type === 'CONTACT' || customEmail !== undefined, {
    path: ['customEmail'],
    params: { code: 'required' },
    message: 'Required',
  });

/** Sends a template to the contact or to another address. */
export const sendEmailStep = defineStep({
  type: 'SEND_EMAIL',
  label: 'Send email',
  config: z.object({
    recipient: notGiven(recipient).describe('Who gets the email. Default the contact.'),
    templateId: clearable(uuid).describe('Id of the template. Another way to give `templateId` of the step.'),
  }),
  example: { recipient: { type: 'CUSTOM', customEmail: '{{manager_email}}' } },
  waysOut: { kind: 'one' },
  reads: () => [],
  holdsTemplates: true,
});
