import { z } from 'zod';
import { query } from '../../base/kernel/index.ts';
import { readPreferences } from './read-preferences.ts';
import { linkToken, preferences } from './tracking.schema.ts';

export const getPreferences = query({
  name: 'tracking.getPreferences',
  summary: 'What the contact of a link is subscribed to; null for an invalid link',
  permission: 'public',
  input: z.object({ token: linkToken }),
  output: preferences.nullable(),
  async handler({ services }, { token }) {
    return (await readPreferences(services, token))?.preferences ?? null;
  },
});
