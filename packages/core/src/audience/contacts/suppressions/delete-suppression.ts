import { AppError, command, emptyObject, projectIdOf } from '../../../base/kernel/index.ts';
import { recallFormerSpellings } from '../former-spellings.store.ts';
import { deleteSuppressionInput } from './suppressions.schema.ts';
import { removeSuppression } from './suppressions.store.ts';

export const deleteSuppression = command({
  name: 'contacts.deleteSuppression',
  summary: 'Removes an address from the suppression list',
  permission: 'data:write',
  risk: 'large',
  errors: ['RESOURCE_NOT_FOUND'],
  input: deleteSuppressionInput,
  output: emptyObject,
  async handler(ctx, { email }) {
    const projectId = projectIdOf(ctx);
    await recallFormerSpellings(ctx.db, ctx.services.secrets, projectId, [email]);
    if (!(await removeSuppression(ctx.db, projectId, email))) {
      throw new AppError('RESOURCE_NOT_FOUND', 'This address is not on the suppression list');
    }
    // The audit log identifies records by id. A suppression has none, and its address does not belong there.
    ctx.audit({ targetType: 'suppression', targetId: projectId });
    return {};
  },
});
