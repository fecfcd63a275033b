import { addressSought, command, projectIdOf } from '../../../base/kernel/index.ts';
import { recallFormerSpellings } from '../former-spellings.store.ts';
import { removedSuppressions, removeSuppressionsInput } from './suppressions.schema.ts';
import { removeSuppressionsOf } from './suppressions.store.ts';

export const removeSuppressions = command({
  name: 'contacts.removeSuppressions',
  summary: 'Removes addresses from the suppression list',
  permission: 'data:write',
  risk: 'large',
  input: removeSuppressionsInput,
  output: removedSuppressions,
  async handler(ctx, { emails }) {
    const projectId = projectIdOf(ctx);
    const addresses = [...new Set(emails.map(addressSought))];
    await recallFormerSpellings(ctx.db, ctx.services.secrets, projectId, addresses);
    const removed = new Set(await removeSuppressionsOf(ctx.db, projectId, addresses));
    // As for a single one: the audit log contains no addresses.
    ctx.audit({ targetType: 'suppression', targetId: projectId });
    return {
      removed: removed.size,
      notFound: emails.filter((email) => !removed.has(addressSought(email))),
    };
  },
});
