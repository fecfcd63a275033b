import { AppError, projectIdOf, query } from '../../../base/kernel/index.ts';
import { deleteSuppressionInput, suppressionShape } from './suppressions.schema.ts';
import { findSuppression } from './suppressions.store.ts';

export const getSuppression = query({
  name: 'contacts.getSuppression',
  summary: 'Returns the entry of an address on the suppression list',
  permission: 'data:read',
  errors: ['RESOURCE_NOT_FOUND'],
  input: deleteSuppressionInput,
  output: suppressionShape,
  async handler(ctx, { email }) {
    const found = await findSuppression(ctx.db, projectIdOf(ctx), email);
    if (!found) throw new AppError('RESOURCE_NOT_FOUND', 'This address is not on the suppression list');
    return found;
  },
});
