import { AppError, command } from '../../base/kernel/index.ts';
import { disableProject } from '../../people/projects/index.ts';
import { decodeAccountLink } from '../message/index.ts';
import { findUnproven, projectsOwnedBy, takeAddress } from './accounts.store.ts';
import { accountLink, claimedAccount } from './tracking.schema.ts';

/** The reader of a mailbox says that the account made with its address is not theirs (behaviour B11.4). */
export const disownAccount = command({
  name: 'tracking.disownAccount',
  summary: 'Takes the address from an account that somebody else made with it, and disables its projects',
  permission: 'public',
  risk: 'closed',
  errors: ['RESOURCE_NOT_FOUND'],
  input: accountLink,
  output: claimedAccount,
  async handler(ctx, { token }) {
    const id = decodeAccountLink(ctx.services.secrets, token);
    if (id === null || !(await takeAddress(ctx.db, id))) throw noLongerUsable();
    const asPlatform = { ...ctx, actor: { type: 'system', projectId: null } as const };
    for (const projectId of await projectsOwnedBy(ctx.db, id))
      await disableProject.within(asPlatform, { id: projectId, reason: 'MANUAL' });
    ctx.audit({ targetType: 'user', targetId: id, changed: ['disowned'] });
    const account = await findUnproven(ctx.db, id);
    if (!account) throw noLongerUsable();
    return account;
  },
});

const noLongerUsable = (): AppError =>
  new AppError('RESOURCE_NOT_FOUND', 'This link is invalid, or the account is not open any more');
