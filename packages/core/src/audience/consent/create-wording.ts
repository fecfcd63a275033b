import { command, conflict, projectIdOf, suggestions } from '../../base/kernel/index.ts';
import { maxWordings } from './consent.rules.ts';
import { createdWording, createWordingInput } from './consent.schema.ts';
import { storeWording } from './wordings.store.ts';

export const createWording = command({
  name: 'wordings.create',
  summary: 'Stores the exact words that people agree to, or finds those that are stored',
  permission: 'data:write',
  risk: 'none',
  errors: ['CONFLICT'],
  input: createWordingInput,
  output: createdWording,
  async handler(ctx, input) {
    const stored = await storeWording(ctx.db, projectIdOf(ctx), input);
    if (!stored)
      throw conflict(`A project can have at most ${maxWordings} wordings`, {
        suggestion: suggestions.CONFLICT.mostWordings,
      });
    ctx.audit({ targetType: 'wording', targetId: stored.wording.id });
    return { ...stored.wording, isNew: stored.isNew };
  },
});
