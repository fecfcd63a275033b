import { z } from 'zod';
import { disabledReason, uuid } from '../../base/kernel/schemas.ts';

export const disableProjectInput = z.object({
  id: uuid.describe('Id of the project.'),
  reason: disabledReason.describe('Why it is disabled.'),
});

export const changedOutput = z.object({
  changed: z.boolean().describe('False when the project was in this state already.'),
});
