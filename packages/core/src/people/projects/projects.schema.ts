import { z } from 'zod';
import {
  disabledReason,
  isoDate,
  namedEnum,
  notGiven,
  recordId,
  requiredName,
  role,
  timeZone,
  trackingMode,
  uuid,
} from '../../base/kernel/schemas.ts';
import { approvalChange, approvalSettings } from './approval-settings.schema.ts';
import { brand, brandChange } from './brand.schema.ts';
import { consentChange, consentSettings } from './consent-settings.schema.ts';
import { contactLimits, contactLimitsChange } from './contact-limits.schema.ts';
import { linkTagging, linkTaggingChange } from './link-tagging.schema.ts';

/** Control characters, line separators, invisible characters and those that override text direction. */
const hiddenCharacter = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Letters of some scripts and emoji need joiners and variation selectors. */
const hasHiddenCharacter = (name: string): boolean =>
  hiddenCharacter.test(name.replace(/\p{RGI_Emoji}|\u200c|\u200d|[\ufe00-\ufe0f]/gv, ''));

export const projectName = requiredName(100).refine((name) => !hasHiddenCharacter(name), {
  params: { code: 'custom' },
  message: 'Must not contain control, invisible or direction-changing characters',
});

/** ISO 639 with an optional ISO 3166 country: `en`, `en-GB`. */
const language = z.string().regex(/^[a-z]{2}(-[A-Z]{2})?$/, 'Must be a language such as en or en-GB');

/** Whether the email of a project leaves (behaviour B15.9). */
const environment = namedEnum('ProjectEnvironment', ['LIVE', 'TEST']);

/** Which findings of the checks before sending refuse a send (behaviour B13.2). */
const sendGate = namedEnum('SendGate', ['ADVISORY', 'STRICT']);

export const createProjectInput = z.object({
  name: projectName.meta({
    description: 'Name of the project, 1 to 100 characters.',
    examples: ['Example Shop'],
  }),
  environment: notGiven(environment).meta({
    description:
      '`TEST`: its email never leaves but goes to the simulator, and its domains need no DNS. Never changed afterwards. Default `LIVE`.',
    examples: ['LIVE'],
  }),
});
export const projectIdInput = z.object({ id: uuid.describe('Id of the project.') });
export const regenerateKeysInput = z.object({
  id: uuid.describe('Id of the project.'),
  graceHours: notGiven(z.int().min(0).max(168)).meta({
    description:
      'Hours for which the old pair works beside the new one, 0 to 168. Default 0: it stops working immediately.',
    examples: [24],
  }),
});
export const updateProjectInput = z.object({
  id: uuid.describe('Id of the project.'),
  name: notGiven(projectName).meta({
    description: 'New name, 1 to 100 characters.',
    examples: ['Example Shop'],
  }),
  tracking: notGiven(trackingMode).describe('Which emails have their opens and clicks tracked.'),
  language: notGiven(language).meta({
    description: 'Language of hosted pages and footers, such as `en` or `en-GB`.',
    examples: ['en'],
  }),
  timeZone: notGiven(timeZone).describe(
    'Time zone by its IANA name: days in filters, conditions and periods begin and end in it.',
  ),
  requireSecondFactor: notGiven(z.boolean()).meta({
    description: 'Whether only members with a second factor may use the project.',
    examples: [false],
  }),
  contactLimits: contactLimitsChange,
  sendGate: notGiven(sendGate).meta({
    description:
      'What the checks before sending refuse: `ADVISORY` what makes a send impossible, `STRICT` also every error that the request does not acknowledge.',
    examples: ['STRICT'],
  }),
  approval: approvalChange,
  brand: brandChange,
  consent: consentChange,
  utm: linkTaggingChange,
});

export type ProjectUpdate = z.output<typeof updateProjectInput>;

export const projectOutput = z.object({
  id: recordId.describe('Id of the project.'),
  name: z.string().meta({ description: 'Name of the project.', examples: ['Example Shop'] }),
  environment: environment.describe('`TEST` for a project whose email never leaves.'),
  public: z.string().meta({
    description: 'Public key, for tracking events from browsers.',
    examples: ['pk_4f9d2c71a8e6403b9d52'],
  }),
  secret: z
    .string()
    .nullable()
    .meta({
      description: 'Secret key; null for members who may not see it.',
      examples: ['sk_4f9d2c71a8e6403b9d52'],
    }),
  webhookSecret: z
    .string()
    .nullable()
    .meta({
      description: 'Secret that signs webhook requests; null for members who may not see it.',
      examples: ['whsec_4f9d2c71a8e6403b9d52'],
    }),
  disabled: z.boolean().meta({ description: 'Whether sending and changes are refused.', examples: [false] }),
  disabledReason: disabledReason
    .nullable()
    .meta({ description: 'Why the project is disabled; null unless it is.', examples: [null] }),
  customer: z
    .string()
    .nullable()
    .meta({ description: 'Id of the customer at the payment provider.', examples: [null] }),
  subscription: z
    .string()
    .nullable()
    .meta({ description: 'Id of the subscription at the payment provider.', examples: [null] }),
  billingLimitWorkflows: z
    .int()
    .nullable()
    .meta({ description: 'Cap of workflow emails per month; null for none.', examples: [null] }),
  billingLimitCampaigns: z
    .int()
    .nullable()
    .meta({ description: 'Cap of campaign emails per month; null for none.', examples: [null] }),
  billingLimitTransactional: z
    .int()
    .nullable()
    .meta({ description: 'Cap of transactional emails per month; null for none.', examples: [null] }),
  tracking: trackingMode.describe('Which emails have their opens and clicks tracked.'),
  language: z.string().meta({ description: 'Language of hosted pages and footers.', examples: ['en'] }),
  timeZone: z.string().meta({
    description:
      'Time zone, by its IANA name, in which days of filters, conditions and periods begin and end.',
    examples: ['Europe/Berlin'],
  }),
  requireSecondFactor: z.boolean().meta({
    description: 'Whether only members with a second factor may use the project.',
    examples: [false],
  }),
  contactLimits: contactLimits
    .nullable()
    .describe('How much marketing email a contact gets, and when; null without caps and quiet hours.'),
  sendGate: sendGate.describe(
    'What the checks before sending refuse: `ADVISORY` what makes a send impossible, `STRICT` also every error that the request does not acknowledge.',
  ),
  approval: approvalSettings.describe(
    'Which campaigns need the approval of a second person before they are sent.',
  ),
  brand: brand.describe(
    'Brand of emails that are designed in the dashboard, and of the pages of recipients.',
  ),
  consent: consentSettings.describe('What the project says about consent.'),
  utm: linkTagging.describe('Tags for web analytics in the links of campaigns and workflows.'),
  role: role.describe('Role of the caller.'),
  createdAt: isoDate.describe('When the project was created.'),
  updatedAt: isoDate.describe('When the project last changed.'),
});

export type ProjectOutput = z.input<typeof projectOutput>;

/** What the sandbox sender still sends for a project (behaviour B11.4). */
const sandbox = z
  .object({
    proven: z.boolean().describe('Whether the address of the owner is proven.'),
    sentToday: z.int().meta({
      description:
        'Emails of this day (UTC) that the owner got from the sandbox, over all projects, while the address was not proven.',
      examples: [2],
    }),
    limit: z
      .int()
      .nullable()
      .meta({
        description: 'How many of them a day are sent; null once the address is proven.',
        examples: [5],
      }),
  })
  .describe('What may be sent from the sandbox sender.');

export const projectListOutput = z.array(projectOutput.extend({ sandbox }));
