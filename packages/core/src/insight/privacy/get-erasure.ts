import { AppError, projectIdOf, query } from '../../base/kernel/index.ts';
import { findErasure } from './erasures.store.ts';
import { presentErasure } from './present-erasure.ts';
import { erasure, erasureIdInput } from './privacy.schema.ts';

export const getErasure = query({
  name: 'privacy.getErasure',
  summary: 'Returns the receipt of an erasure',
  permission: 'privacy:manage',
  errors: ['RESOURCE_NOT_FOUND'],
  input: erasureIdInput,
  output: erasure,
  async handler(ctx, { id }) {
    const row = await findErasure(ctx.db, projectIdOf(ctx), id);
    if (!row) throw new AppError('RESOURCE_NOT_FOUND', 'Erasure not found');
    return presentErasure(ctx.db, row);
  },
});
