import { AppError, command, emptyObject, projectIdOf } from '../../base/kernel/index.ts';
import { removeSourceRefInput } from './source-refs.schema.ts';
import { takeSourceRef } from './source-refs.store.ts';

export const removeSourceRef = command({
  name: 'sourceRefs.remove',
  summary: 'Removes what an id of another service means',
  permission: 'data:write',
  risk: 'large',
  errors: ['RESOURCE_NOT_FOUND'],
  input: removeSourceRefInput,
  output: emptyObject,
  async handler(ctx, key) {
    const targetId = await takeSourceRef(ctx.db, projectIdOf(ctx), key);
    if (targetId === null) throw new AppError('RESOURCE_NOT_FOUND', 'Source reference not found');
    ctx.audit({ targetType: key.kind === 'TEMPLATE' ? 'template' : 'segment', targetId });
    return {};
  },
});
