import { AppError, projectIdOf, query } from '../../base/kernel/index.ts';
import { wordingIdInput, wordingShape } from './consent.schema.ts';
import { findWording } from './wordings.store.ts';

export const getWording = query({
  name: 'wordings.get',
  summary: 'Returns the exact words that people agreed to',
  permission: 'data:read',
  errors: ['RESOURCE_NOT_FOUND'],
  input: wordingIdInput,
  output: wordingShape,
  async handler(ctx, { id }) {
    const wording = await findWording(ctx.db, projectIdOf(ctx), id);
    if (!wording) throw new AppError('RESOURCE_NOT_FOUND', 'Wording not found');
    return wording;
  },
});
