import { AppError, command, emptyObject } from '../../base/kernel/index.ts';
import { requireMembership } from '../projects/index.ts';
import { deleteKeyInput } from './keys.schema.ts';
import { removeNamedKey } from './keys.store.ts';

export const deleteKey = command({
  name: 'keys.delete',
  summary: 'Deletes a named key, which stops working immediately',
  permission: 'account',
  risk: 'closed',
  errors: ['PROJECT_ACCESS_DENIED', 'FORBIDDEN', 'RESOURCE_NOT_FOUND'],
  input: deleteKeyInput,
  output: emptyObject,
  async handler(ctx, { id: projectId, keyId }) {
    await requireMembership(ctx, projectId, ['OWNER', 'ADMIN']);
    const name = await removeNamedKey(ctx.db, projectId, keyId);
    if (name === null) throw new AppError('RESOURCE_NOT_FOUND', 'Key not found');
    ctx.audit({ targetType: 'key', targetId: keyId, projectId, name });
    return {};
  },
});
