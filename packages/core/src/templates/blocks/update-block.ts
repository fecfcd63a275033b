import { command, projectIdOf } from '../../kernel/index.ts';
import { assertTemplateSyntax } from '../assert-template-syntax.ts';
import { savedBlock, updateBlockInput } from './blocks.schema.ts';
import { changeBlock } from './blocks.store.ts';
import { blockNotFound } from './get-block.ts';

export const updateBlock = command({
  name: 'blocks.update',
  summary: 'Updates a saved block; emails that it was inserted into keep what they have',
  permission: 'data:write',
  errors: ['RESOURCE_NOT_FOUND'],
  input: updateBlockInput,
  output: savedBlock,
  prepare: assertTemplateSyntax,
  async handler(ctx, { id, ...change }) {
    const block = await changeBlock(ctx.db, projectIdOf(ctx), id, change);
    if (!block) throw blockNotFound();
    const changed = Object.entries(change).flatMap(([field, value]) => (value === undefined ? [] : [field]));
    ctx.audit({ targetType: 'block', targetId: id, changed });
    return block;
  },
});
