import { z } from 'zod';
import {
  campaignStatus,
  clearable,
  directionQuery,
  emailAddress,
  emailClass,
  filterEnum,
  isoDate,
  notGiven,
  optionalText,
  pageListOf,
  pageQuery,
  requiredText,
  sortColumn,
  sortEnum,
  typeNames,
  uuid,
} from '../kernel/schemas.ts';

/** A template as callers see it (behaviour B2.2). */
export const templateShape = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    subject: z.string(),
    body: z.string(),
    from: z.string(),
    fromName: z.string().nullable(),
    replyTo: z.string().nullable(),
    type: emailClass,
    projectId: z.string(),
    createdAt: isoDate,
    updatedAt: isoDate,
  })
  .register(typeNames, { name: 'Template' });

/** Must not be blank, but is stored as given. */
const requiredSource = (max: number) =>
  z
    .string()
    .refine((value) => value.trim() !== '', {
      params: { code: 'required' },
      message: 'Required',
      abort: true,
    })
    .refine((value) => value.length <= max, {
      params: { code: 'too_big' },
      message: `At most ${max} characters`,
    })
    .meta({ minLength: 1, maxLength: max });

/** RFC 5322 2.1.1 allows lines of 998 characters; a header field is one line. */
export const subjectSource = requiredSource(998).refine((value) => !/[\r\n]/.test(value), {
  params: { code: 'custom' },
  message: 'Must not contain a newline',
});

export const bodySource = requiredSource(2_000_000).describe(
  'HTML; `{{variable}}` placeholders are filled at send time',
);

export const templateNameLimit = 100;

export const createTemplateInput = z.object({
  name: requiredText(templateNameLimit),
  description: optionalText(500),
  subject: subjectSource,
  body: bodySource,
  from: emailAddress,
  fromName: optionalText(100),
  replyTo: notGiven(emailAddress),
  type: notGiven(emailClass).transform((type) => type ?? 'MARKETING'),
});

export const templateIdInput = z.object({ id: uuid });

/** Any subset of the fields: absent fields are kept, null clears nullable ones. */
export const updateTemplateInput = z.object({
  id: uuid,
  name: notGiven(requiredText(templateNameLimit)),
  description: clearable(z.string().trim().max(500)),
  subject: notGiven(subjectSource),
  body: notGiven(bodySource),
  from: notGiven(emailAddress),
  fromName: clearable(z.string().trim().max(100)),
  replyTo: clearable(emailAddress),
  type: notGiven(emailClass),
});

export const templateUsage = z
  .object({
    campaigns: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          status: campaignStatus,
        }),
      )
      .describe('Campaigns whose content was copied from this template'),
    workflowSteps: z.array(
      z.object({
        workflowId: z.string(),
        workflowName: z.string(),
        stepId: z.string(),
        stepName: z.string(),
      }),
    ),
    emailsSent: z.int(),
    canDelete: z.boolean().describe('No step of a workflow sends it'),
  })
  .register(typeNames, { name: 'TemplateUsage' });

export const listTemplatesInput = z.object({
  ...pageQuery,
  type: filterEnum('type', emailClass),
  search: optionalText(500).describe('Case-insensitive, in name, description and subject'),
  sort: sortEnum(sortColumn, 'createdAt'),
  dir: directionQuery,
});

export const templatePage = pageListOf(templateShape);
