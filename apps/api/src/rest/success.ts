import { z } from 'zod';

export const successOnly = z
  .object({ success: z.literal(true).describe('Always true.') })
  .meta({ 'x-name': 'Success' });
