import { command, projectIdOf } from '../../kernel/index.ts';
import { assertTemplateSyntax } from '../assert-template-syntax.ts';
import { createBlockInput, savedBlock } from './blocks.schema.ts';
import { insertBlock } from './blocks.store.ts';

export const createBlock = command({
  name: 'blocks.create',
  summary: 'Saves a part of an email, to be inserted into others',
  permission: 'data:write',
  input: createBlockInput,
  output: savedBlock,
  prepare: assertTemplateSyntax,
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
