import { z } from 'zod';
import { clearable, normalizeAddress, notGiven, toAddress, uuid } from '../../../base/kernel/schemas.ts';
import { defineStep, hasTemplateTags } from './step.rules.ts';

const customEmail = z
  .string()
  .trim()
  .max(1_000)
  .transform(toAddress((text) => (hasTemplateTags(text) ? text : normalizeAddress(text))));

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
