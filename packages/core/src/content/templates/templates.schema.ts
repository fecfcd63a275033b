import { z } from 'zod';
import { givenTopic, storedTopic } from '../../audience/topics/topics.schema.ts';
import {
  campaignStatus,
  clearable,
  directionQuery,
  emailClass,
  filterEnum,
  isoDate,
  notGiven,
  optionalText,
  pageListOf,
  pageQuery,
  recordId,
  requiredName,
  sortColumn,
  sortEnum,
  sortText,
  typeNames,
} from '../../base/kernel/schemas.ts';
import { designInput, storedDesign } from './design.schema.ts';
import {
  contentChange,
  emailContent,
  namingChange,
  namingContent,
  newContent,
} from './email-content.schema.ts';
import { templateAlias, templateReference } from './template-reference.schema.ts';

const exemptMeta = {
  description: 'Whether its email is outside of the limits per contact of the project.',
  examples: [false],
};

/** A template as callers see it (behaviour B2.2). */
export const templateShape = z
  .object({
    id: recordId.describe('Id of the template.'),
    name: z.string().meta({ description: 'Name of the template.', examples: ['Order shipped'] }),
    description: z
      .string()
      .nullable()
      .meta({ description: 'Description for the team.', examples: ['Sent when a parcel leaves'] }),
    alias: z
      .string()
      .nullable()
      .meta({ description: 'Its name for programs, unique in the project.', examples: ['order-shipped'] }),
    ...emailContent.shape,
    design: storedDesign,
    exemptFromLimits: z.boolean().meta(exemptMeta),
    topic: storedTopic,
    projectId: recordId.describe('Id of the project.'),
    createdAt: isoDate.describe('When the template was created.'),
    updatedAt: isoDate.describe('When the template last changed.'),
  })
  .describe('A template.')
  .register(typeNames, { name: 'Template' });

export const templateNameLimit = 100;

const aliasText =
  'Its name for programs, by which requests can name it instead of by its id: 1 to 100 of `a-z`, `0-9`, `.`, `_` and `-`, beginning with a letter, unique in the project.';

export const createTemplateInput = namingContent(
  z.object({
    name: requiredName(templateNameLimit).meta({
      description: 'Name of the template, 1 to 100 characters.',
      examples: ['Order shipped'],
    }),
    description: optionalText(500).meta({
      description: 'Description for the team, at most 500 characters.',
      examples: ['Sent when a parcel leaves'],
    }),
    alias: clearable(templateAlias)
      .transform((alias) => alias ?? null)
      .meta({ description: aliasText, examples: ['order-shipped'] }),
    ...newContent,
    design: designInput,
    exemptFromLimits: notGiven(z.boolean())
      .transform((exempt) => exempt ?? false)
      .meta(exemptMeta),
    topic: givenTopic,
  }),
);

export type TemplateInput = z.output<typeof createTemplateInput>;

const idOrAlias = templateReference.describe('Id or alias of the template.');

export const templateIdInput = z.object({ id: idOrAlias });

/** Any subset of the fields: absent fields are kept, null clears nullable ones. */
export const updateTemplateInput = namingChange(
  z.object({
    id: idOrAlias,
    name: notGiven(requiredName(templateNameLimit)).meta({
      description: 'Name of the template, 1 to 100 characters.',
      examples: ['Order shipped'],
    }),
    description: clearable(z.string().trim().max(500)).meta({
      description: 'Description for the team, at most 500 characters.',
      examples: ['Sent when a parcel leaves'],
    }),
    alias: clearable(templateAlias).meta({ description: aliasText, examples: ['order-shipped'] }),
    ...contentChange,
    design: designInput,
    exemptFromLimits: notGiven(z.boolean()).meta(exemptMeta),
    topic: givenTopic,
  }),
);

export const templateUsage = z
  .object({
    campaigns: z
      .array(
        z.object({
          id: recordId.describe('Id of the campaign.'),
          name: z.string().meta({ description: 'Name of the campaign.', examples: ['Spring offer'] }),
          status: campaignStatus.describe('State of the campaign.'),
        }),
      )
      .describe('Campaigns whose content was copied from this template'),
    workflowSteps: z
      .array(
        z.object({
          workflowId: recordId.describe('Id of the workflow.'),
          workflowName: z.string().meta({ description: 'Name of the workflow.', examples: ['Onboarding'] }),
          stepId: recordId.describe('Id of the step.'),
          stepName: z.string().meta({ description: 'Name of the step.', examples: ['Welcome'] }),
        }),
      )
      .describe('Workflow steps that send it.'),
    emailsSent: z
      .int()
      .min(0)
      .meta({ description: 'Number of emails sent with it.', examples: [42] }),
    canDelete: z.boolean().describe('Whether no workflow step sends it.'),
  })
  .register(typeNames, { name: 'TemplateUsage' });

export const listTemplatesInput = z.object({
  ...pageQuery,
  type: filterEnum('type', emailClass).describe('Only templates of this type.'),
  search: optionalText(500).meta({
    description: 'Part of the name, description or subject, in any case. At most 500 characters.',
    examples: ['order'],
  }),
  sort: sortEnum(sortColumn, 'createdAt').describe(sortText),
  dir: directionQuery,
});

export const templatePage = pageListOf(templateShape);
