import { z } from 'zod';
import { isoDate, uuid, waitsForField } from '../../base/kernel/schemas.ts';
import { typeNames } from '../../base/kernel/type-names.ts';

export const removalInput = z.object({ id: uuid.describe('Id of the project.') });

export const resetOutput = z.object({
  message: z.string().meta({
    description: 'What happens next.',
    examples: ['The data of the project is being removed'],
  }),
});

export const resetState = z
  .object({
    running: z.boolean().meta({ description: 'Whether data is still being removed.', examples: [true] }),
    progress: z
      .int()
      .min(0)
      .max(100)
      .meta({ description: 'Percent done.', examples: [40] }),
    waitsFor: waitsForField(
      'nothing was removed yet, and the removal begins when the workflow engine, which does not answer, is back.',
    ),
    startedAt: isoDate.describe('When the project was reset.'),
  })
  .nullable()
  .register(typeNames, { name: 'ResetState' });
