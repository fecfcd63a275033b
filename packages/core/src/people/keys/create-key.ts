import {
  assertEnabled,
  command,
  conflict,
  invalid,
  keyHash,
  keyPrefix,
  newKey,
  suggestions,
} from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { environmentOf, requireMembership } from '../projects/index.ts';
import { createdKey, createKeyInput, maxNamedKeys } from './keys.schema.ts';
import { countNamedKeys, insertNamedKey } from './keys.store.ts';

export const createKey = command({
  name: 'keys.create',
  summary: 'Creates a named key of a project; the key itself is returned this once',
  permission: 'account',
  risk: 'closed',
  allowDisabled: false,
  errors: ['PROJECT_ACCESS_DENIED', 'FORBIDDEN', 'PROJECT_DISABLED', 'CONFLICT'],
  input: createKeyInput,
  output: createdKey,
  async handler(ctx, { id: projectId, name, scope, domains, expiresAt }) {
    const { project } = await requireMembership(ctx, projectId, ['OWNER', 'ADMIN']);
    assertEnabled(project);
    if (expiresAt && expiresAt.getTime() <= Date.now()) {
      throw invalid([{ field: 'expiresAt', code: 'custom', message: 'Must be in the future' }]);
    }
    if ((await countNamedKeys(ctx.db, projectId)) >= maxNamedKeys) {
      throw conflict(`A project can have at most ${maxNamedKeys} named keys`, {
        suggestion: suggestions.CONFLICT.mostKeys,
      });
    }
    const key = newKey(scope === 'track' ? 'public' : 'secret', await environmentOf(ctx.db, projectId));
    const row = await insertNamedKey(ctx.db, {
      id: newId(),
      projectId,
      name,
      prefix: keyPrefix(key),
      hash: keyHash(key),
      scope,
      domains: domains ?? [],
      expiresAt: expiresAt ?? null,
    });
    ctx.audit({ targetType: 'key', targetId: row.id, projectId });
    return { ...row, key };
  },
});
