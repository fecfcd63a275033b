import { AppError, projectIdOf, query } from '../../../base/kernel/index.ts';
import { blockIdInput, savedBlock } from './blocks.schema.ts';
import { findBlock } from './blocks.store.ts';

export const blockNotFound = (): AppError => new AppError('RESOURCE_NOT_FOUND', 'Block not found');

export const getBlock = query({
  name: 'blocks.get',
  summary: 'Returns one saved block',
  permission: 'data:read',
  errors: ['RESOURCE_NOT_FOUND'],
  input: blockIdInput,
  output: savedBlock,
  async handler(ctx, { id }) {
    const block = await findBlock(ctx.db, projectIdOf(ctx), id);
    if (!block) throw blockNotFound();
    return block;
  },
});
