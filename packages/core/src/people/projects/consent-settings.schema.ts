import { z } from 'zod';
import {
  clearable,
  isHttpUrl,
  namedEnum,
  notGiven,
  replyMailboxes,
  senderMailbox,
  typeNames,
  uuid,
} from '../../base/kernel/schemas.ts';

/** What a project says about consent (behaviour B12.5). */

export const publicSubscriptions = namedEnum('PublicSubscriptions', ['DIRECT', 'CONFIRM']);

const senderName = z.string().trim().max(100);

const privacyUrl = z
  .string()
  .trim()
  .max(2_000)
  .refine(isHttpUrl, {
    params: { code: 'invalid_string' },
    message: 'Must be an http or https URL',
  });

const words = {
  confirmation: {
    description:
      'Who asks people to confirm that they subscribe. Needed by forms, by `POST /subscription-requests` and by `CONFIRM`; null for nobody.',
  },
  from: {
    description: 'Address of the sender, of a verified domain.',
    examples: ['hello@example.com'],
  },
  fromName: {
    description: 'Display name of the sender; null for the name of the project.',
    examples: ['Example Shop'],
  },
  replyTo: { description: 'Address for replies; null for the sender.', examples: ['support@example.com'] },
  templateId: {
    description:
      'Id of the TRANSACTIONAL template of the email, which has `{{confirmUrl}}`; null for the built-in email.',
    examples: [null],
  },
  publicSubscriptions: {
    description:
      'What a subscription with a public key is: `DIRECT` subscribes, `CONFIRM` asks the owner of the address first.',
    examples: ['DIRECT'],
  },
  privacyUrl: {
    description: 'Address of the privacy policy, to which the pages of recipients link; null for none.',
    examples: ['https://example.com/privacy'],
  },
};

const confirmation = z
  .object({
    from: z.string().meta(words.from),
    fromName: z.string().nullable().meta(words.fromName),
    replyTo: z.string().nullable().meta(words.replyTo),
    templateId: z.string().nullable().meta(words.templateId),
  })
  .register(typeNames, { name: 'ConfirmationSender' });

export type ConfirmationSender = z.output<typeof confirmation>;

/** What a project says about consent, with the defaults filled in. */
export const consentSettings = z
  .object({
    confirmation: confirmation.nullable().meta(words.confirmation),
    publicSubscriptions: publicSubscriptions.meta(words.publicSubscriptions),
    privacyUrl: z.string().nullable().meta(words.privacyUrl),
  })
  .register(typeNames, { name: 'ConsentSettings' });

export type ConsentSettings = z.output<typeof consentSettings>;

const noSettings: ConsentSettings = { confirmation: null, publicSubscriptions: 'DIRECT', privacyUrl: null };

/** As stored: only what differs from the defaults. */
export const consentSettingsOf = (stored: unknown): ConsentSettings =>
  consentSettings.parse({ ...noSettings, ...(stored as Partial<ConsentSettings> | null) });

const givenConfirmation = z.object({
  from: senderMailbox.meta(words.from),
  fromName: clearable(senderName)
    .transform((name) => name || null)
    .meta(words.fromName),
  replyTo: clearable(replyMailboxes)
    .transform((reply) => reply ?? null)
    .meta(words.replyTo),
  templateId: clearable(uuid)
    .transform((id) => id ?? null)
    .meta(words.templateId),
});

/** A change: absent fields are kept, null gives a field its default. `confirmation` is replaced as a whole. */
export const consentChange = notGiven(
  z.object({
    confirmation: clearable(givenConfirmation).meta({
      description: `${words.confirmation.description} It is replaced as a whole.`,
    }),
    publicSubscriptions: clearable(publicSubscriptions).meta(words.publicSubscriptions),
    privacyUrl: clearable(privacyUrl).meta(words.privacyUrl),
  }),
).describe('What the project says about consent: absent fields are kept, null gives a field its default.');

export type ConsentChange = NonNullable<z.output<typeof consentChange>>;
