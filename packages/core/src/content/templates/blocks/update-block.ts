import { command, projectIdOf } from '../../../base/kernel/index.ts';
import { assertGrowth } from '../../../people/storage/index.ts';
import { assertTemplateSyntax } from '../assert-template-syntax.ts';
import { designOf } from '../design.schema.ts';
import { bytesOfTexts } from '../stored-bytes.rules.ts';
import { savedBlock, updateBlockInput } from './blocks.schema.ts';
import { changeBlock, findBlock, storedBytesOfBlock } from './blocks.store.ts';
import { blockNotFound } from './get-block.ts';

export const updateBlock = command({
  name: 'blocks.update',
  summary: 'Updates a saved block; emails that it was inserted into keep what they have',
  permission: 'data:write',
  risk: 'none',
  errors: ['RESOURCE_NOT_FOUND', 'FORBIDDEN'],
  input: updateBlockInput,
  output: savedBlock,
  async prepare(ctx, { id, ...change }) {
    const projectId = projectIdOf(ctx);
    // A change without a body keeps the stored one, which then counts neither before nor after.
    const before = change.body === undefined ? 0 : await storedBytesOfBlock(ctx.db, projectId, id);
    await assertGrowth(ctx.services, projectId, before, bytesOfTexts(change));
    await assertTemplateSyntax(ctx, change);
  },
  async handler(ctx, { id, ...change }) {
    const projectId = projectIdOf(ctx);
    const before = await findBlock(ctx.db, projectId, id);
    if (!before) throw blockNotFound();
    // A change of the name alone does not write the design, which another request may be changing.
    const design = change.body === undefined ? change.design : designOf(change, before);
    const block = await changeBlock(ctx.db, projectId, id, { ...change, design });
    if (!block) throw blockNotFound();
    const changed = Object.entries(change).flatMap(([field, value]) => (value === undefined ? [] : [field]));
    ctx.audit({ targetType: 'block', targetId: id, changed });
    return block;
  },
});
