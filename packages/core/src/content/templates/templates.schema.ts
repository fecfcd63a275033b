import { z } from 'zod';
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
  uuid,
} from '../../base/kernel/schemas.ts';
import { designInput, storedDesign } from './design.schema.ts';
import {
  contentChange,
  emailContent,
  namingChange,
  namingContent,
  newContent,
} from './email-content.schema.ts';

/** A template as callers see it (behaviour B2.2). */
export const templateShape = z
  .object({
    id: recordId.describe('Id of the template.'),
    name: z.string().meta({ description: 'Name of the template.', examples: ['Order shipped'] }),
    description: z
      .string()
      .nullable()
      .meta({ description: 'Description for the team.', examples: ['Sent when a parcel leaves'] }),
    ...emailContent.shape,
    design: storedDesign,
    projectId: recordId.describe('Id of the project.'),
    createdAt: isoDate.describe('When the template was created.'),
    updatedAt: isoDate.describe('When the template last changed.'),
  })
  .describe('A template.')
  .register(typeNames, { name: 'Template' });

export const templateNameLimit = 100;

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
    ...newContent,
    design: designInput,
  }),
);

export type TemplateInput = z.output<typeof createTemplateInput>;

export const templateIdInput = z.object({ id: uuid.describe('Id of the template.') });

/** Any subset of the fields: absent fields are kept, null clears nullable ones. */
export const updateTemplateInput = namingChange(
  z.object({
    id: uuid.describe('Id of the template.'),
    name: notGiven(requiredName(templateNameLimit)).meta({
      description: 'Name of the template, 1 to 100 characters.',
      examples: ['Order shipped'],
    }),
    description: clearable(z.string().trim().max(500)).meta({
      description: 'Description for the team, at most 500 characters.',
      examples: ['Sent when a parcel leaves'],
    }),
    ...contentChange,
    design: designInput,
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
