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
  requiredText,
  sortColumn,
  sortEnum,
  typeNames,
  uuid,
} from '../kernel/schemas.ts';
import { contentChange, emailContent, newContent } from './email-content.schema.ts';

/** A template as callers see it (behaviour B2.2). */
export const templateShape = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    ...emailContent.shape,
    projectId: z.string(),
    createdAt: isoDate,
    updatedAt: isoDate,
  })
  .register(typeNames, { name: 'Template' });

export const templateNameLimit = 100;

export const createTemplateInput = z.object({
  name: requiredText(templateNameLimit),
  description: optionalText(500),
  ...newContent,
});

export const templateIdInput = z.object({ id: uuid });

/** Any subset of the fields: absent fields are kept, null clears nullable ones. */
export const updateTemplateInput = z.object({
  id: uuid,
  name: notGiven(requiredText(templateNameLimit)),
  description: clearable(z.string().trim().max(500)),
  ...contentChange,
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
