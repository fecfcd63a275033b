import { z } from 'zod';
import { logged } from '../../base/kernel/schemas.ts';

/** What an alias of a template or workflow consists of. */
export const aliasForm = /^[a-z][a-z0-9._-]{0,99}$/;
const idForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a reference is an id; otherwise it is an alias, which never has the form of one. */
export const isTemplateId = (reference: string): boolean => idForm.test(reference);

/** The name of a template for programs, unique in its project (behaviour B2.2). */
export const templateAlias = z
  .string()
  .trim()
  .refine((alias) => aliasForm.test(alias) && !isTemplateId(alias), {
    params: { code: 'invalid_string' },
    message:
      'An alias has 1 to 100 of the characters a-z, 0-9, ".", "_" and "-", begins with a letter, and is no UUID',
  })
  .meta({ minLength: 1, maxLength: 100, pattern: aliasForm.source });

/** How a request names a template: by its id, in either case, or its alias. */
export const templateReference = z
  .string()
  .refine((given) => isTemplateId(given) || aliasForm.test(given), {
    params: { code: 'invalid_string' },
    message: 'Expected the id or the alias of a template',
  })
  .transform((given) => given.toLowerCase())
  .meta({ examples: ['0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90', 'order-shipped'] })
  .register(logged, { as: 'name' });
