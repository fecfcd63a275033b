import { command, emptyObject, projectIdOf } from '../../../base/kernel/index.ts';
import { blockIdInput } from './blocks.schema.ts';
import { removeBlock } from './blocks.store.ts';
import { blockNotFound } from './get-block.ts';

export const deleteBlock = command({
  name: 'blocks.delete',
  summary: 'Deletes a saved block; emails that it was inserted into keep what they have',
  permission: 'data:write',
  risk: 'large',
  errors: ['RESOURCE_NOT_FOUND'],
  input: blockIdInput,
  output: emptyObject,
  async handler(ctx, { id }) {
    const name = await removeBlock(ctx.db, projectIdOf(ctx), id);
    if (name === null) throw blockNotFound();
    ctx.audit({ targetType: 'block', targetId: id, name });
    return {};
  },
});
