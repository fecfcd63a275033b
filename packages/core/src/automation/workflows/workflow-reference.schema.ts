import { z } from 'zod';
import { logged } from '../../base/kernel/schemas.ts';
import { aliasForm, isTemplateId, templateAlias } from '../../content/templates/template-reference.schema.ts';

/** Whether a reference is an id; otherwise it is an alias, which never has the form of one. */
export const isWorkflowId = isTemplateId;

/** The name of a workflow for programs, unique in its project: of the form of those of templates (behaviour B2.2). */
export const workflowAlias = templateAlias;

/** How a request names a workflow: by its id, in either case, or its alias. */
export const workflowReference = z
  .string()
  .refine((given) => isWorkflowId(given) || aliasForm.test(given), {
    params: { code: 'invalid_string' },
    message: 'Expected the id or the alias of a workflow',
  })
  .transform((given) => given.toLowerCase())
  .meta({
    description: 'Id or alias of the workflow.',
    examples: ['0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90', 'onboarding'],
  })
  .register(logged, { as: 'name' });
