import { command } from '../../base/kernel/index.ts';
import { changedOutput } from './project-state.schema.ts';
import { findMemberAddressees, lockProjectState, markEnabled } from './project-state.store.ts';
import { enabledMail } from './project-state-mail.ts';
import { projectIdInput } from './projects.schema.ts';
import { accessDenied } from './require-membership.ts';

/** Enables a disabled project and notifies its members. Nothing that ended with the disabling starts again. */
export const enableProject = command({
  name: 'projects.enable',
  summary: 'Enables a disabled project; what ended with the disabling stays ended',
  permission: 'internal',
  risk: 'closed',
  internal: true,
  allowDisabled: true,
  input: projectIdInput,
  output: changedOutput,
  async handler(ctx, { id }) {
    const { services, db } = ctx;
    const project = await lockProjectState(db, id);
    if (!project) throw accessDenied();
    if (!project.disabled) return { changed: false };
    await markEnabled(db, id);
    const mail = { projectId: id, project: project.name };
    for (const to of await findMemberAddressees(db, id))
      await services.platformMail.write(db, enabledMail(services.config, { to, ...mail }));
    ctx.audit({ targetType: 'project', targetId: id, projectId: id, changed: ['disabled'] });
    ctx.afterCommit(() => services.platformMail.notify());
    return { changed: true };
  },
});
