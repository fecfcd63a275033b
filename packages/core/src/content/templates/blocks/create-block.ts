import { command, projectIdOf } from '../../../base/kernel/index.ts';
import { assertStorage } from '../../../people/storage/index.ts';
import { assertTemplateSyntax } from '../assert-template-syntax.ts';
import { bytesOfTexts } from '../stored-bytes.rules.ts';
import { createBlockInput, savedBlock } from './blocks.schema.ts';
import { insertBlock } from './blocks.store.ts';

export const createBlock = command({
  name: 'blocks.create',
  summary: 'Saves a part of an email, to be inserted into others',
  permission: 'data:write',
  risk: 'none',
  errors: ['FORBIDDEN'],
  input: createBlockInput,
  output: savedBlock,
  async prepare(ctx, input) {
    await assertStorage(ctx.services, projectIdOf(ctx), bytesOfTexts(input));
    await assertTemplateSyntax(ctx, input);
  },
  async handler(ctx, { name, body, design }) {
    const block = await insertBlock(ctx.db, {
      projectId: projectIdOf(ctx),
      name,
      body,
      design: design ?? null,
    });
    ctx.audit({ targetType: 'block', targetId: block.id });
    return block;
  },
});
