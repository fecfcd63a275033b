import { z } from 'zod';

export const codeMeta = {
  description: 'Code of the authenticator app, or a recovery code.',
  examples: ['287082'],
};
export const code = z.string().max(100).meta(codeMeta);
