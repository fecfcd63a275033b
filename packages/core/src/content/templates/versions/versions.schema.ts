import { z } from 'zod';
import { cursorListOf, cursorQuery, isoDate, recordId, typeNames } from '../../../base/kernel/schemas.ts';
import { auditActor } from '../../../people/audit/audit.schema.ts';
import { storedDesign } from '../design.schema.ts';
import { emailContent } from '../email-content.schema.ts';
import { templateReference } from '../template-reference.schema.ts';

/** The newest versions of a template that are kept. */
export const keptVersions = 100;

export const listVersionsInput = z.object({
  id: templateReference.describe('Id or alias of the template.'),
  ...cursorQuery,
});

export const versionInput = z.object({
  id: templateReference.describe('Id or alias of the template.'),
  version: z
    .preprocess(
      (value) => (typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value),
      z.int().min(1).max(2_147_483_647),
    )
    .meta({ description: 'Number of the version, from 1.', examples: [3] }),
});

const listed = {
  id: recordId.describe('Id of the version.'),
  version: z
    .int()
    .min(1)
    .meta({
      description: 'Number of the version, from 1; the highest is the present content.',
      examples: [3],
    }),
  subject: emailContent.shape.subject,
  preheader: emailContent.shape.preheader,
  author: auditActor
    .nullable()
    .describe('Who saved it; null for versions from before authors were recorded.'),
  createdAt: isoDate.describe('When it was saved.'),
};

export const listedVersion = z
  .object(listed)
  .describe('A version of a template in a list, without its body.')
  .register(typeNames, { name: 'ListedTemplateVersion' });

export const templateVersion = z
  .object({ ...listed, body: emailContent.shape.body, text: emailContent.shape.text, design: storedDesign })
  .describe('A content that a template has had.')
  .register(typeNames, { name: 'TemplateVersion' });

export const versionList = cursorListOf(listedVersion);
