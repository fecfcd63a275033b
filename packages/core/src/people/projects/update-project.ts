import {
  AppError,
  assertEnabled,
  command,
  conflict,
  suggestions,
  userIdOf,
} from '../../base/kernel/index.ts';
import { hasSecondFactor } from '../users/index.ts';
import { changeConsent } from './change-consent.ts';
import { changeLinkTagging } from './change-link-tagging.ts';
import { presentProject } from './present-project.ts';
import { projectOutput, updateProjectInput } from './projects.schema.ts';
import {
  changeBrand,
  changeProject,
  computeSegmentsSoon,
  isZoneKnown,
  noteChangedLimits,
} from './projects.store.ts';
import { requireMembership } from './require-membership.ts';

export const updateProject = command({
  name: 'projects.update',
  summary: 'Updates the settings of a project',
  permission: 'account',
  risk: 'closed',
  allowDisabled: false,
  errors: ['PROJECT_DISABLED', 'CONFLICT'],
  input: updateProjectInput,
  output: projectOutput,
  async handler(ctx, { id, brand, consent, utm, ...change }) {
    const { role, project } = await requireMembership(ctx, id, ['OWNER', 'ADMIN']);
    assertEnabled(project);
    if (change.requireSecondFactor && !(await hasSecondFactor(ctx.db, userIdOf(ctx)))) {
      throw conflict('You have no second factor yourself, so this would lock you out of the project', {
        suggestion: suggestions.CONFLICT.noSecondFactor,
      });
    }
    if (change.timeZone !== undefined && !(await isZoneKnown(ctx.db, change.timeZone))) throw unknownZone();
    if (change.timeZone !== undefined && change.timeZone !== project.timeZone)
      await computeSegmentsSoon(ctx.db, id);
    if (change.contactLimits !== undefined || change.timeZone !== undefined)
      await noteChangedLimits(ctx.db, id);
    if (brand) await changeBrand(ctx.db, id, brand);
    if (consent) await changeConsent(ctx.db, id, consent);
    if (utm) await changeLinkTagging(ctx.db, id, utm);
    const row = await changeProject(ctx.db, id, change);
    const changed = Object.entries({ ...change, brand, consent, utm }).flatMap(([field, value]) =>
      value === undefined ? [] : [field],
    );
    ctx.audit({ targetType: 'project', targetId: id, projectId: id, changed });
    return presentProject(ctx.services.secrets, row, role);
  },
});

const unknownZone = (): AppError =>
  new AppError('VALIDATION_ERROR', 'Request validation failed', {
    errors: [{ field: 'timeZone', code: 'invalid_timezone', message: 'Not a time zone' }],
  });
