import { z } from 'zod';
import { clearable, isEmailAddress, normalizeAddress, notGiven, uuid } from '../../kernel/schemas.ts';
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
  .object({ type: z.enum(['CONTACT', 'CUSTOM']), customEmail: notGiven(customEmail) })
  .refine(({ type, customEmail }) => type === 'CONTACT' || customEmail !== undefined, {
    path: ['customEmail'],
    params: { code: 'required' },
    message: 'Required',
  });

/** Sends a template to the contact or to another address. */
export const sendEmailStep = defineStep({
  type: 'SEND_EMAIL',
  label: 'Send email',
  config: z.object({ recipient: notGiven(recipient), templateId: clearable(uuid) }),
  example: { recipient: { type: 'CUSTOM', customEmail: '{{manager_email}}' } },
  waysOut: { kind: 'one' },
  reads: () => [],
  holdsTemplates: true,
});
