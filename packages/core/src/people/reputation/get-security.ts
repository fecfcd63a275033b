import { projectIdOf, query } from '../../base/kernel/index.ts';
import { accessDenied } from '../projects/index.ts';
import { readStatus } from './read-status.ts';
import { securityInput, securityOutput } from './reputation.schema.ts';

export const getSecurity = query({
  name: 'reputation.security',
  summary: 'Returns the bounce and complaint levels of a project, and whether it is or was disabled',
  permission: 'project:read',
  input: securityInput,
  output: securityOutput,
  async handler(ctx, { id }) {
    if (id !== projectIdOf(ctx)) throw accessDenied();
    const status = await readStatus(ctx.services, ctx.db, id);
    if (!status) throw accessDenied();
    const { windows, standing, refusals } = status;
    const { levels, violations, warnings } = status.assessment;
    return {
      status: {
        projectId: id,
        isHealthy: violations.length + warnings.length === 0,
        shouldDisable: violations.length > 0,
        ...windows,
        refusals: { sevenDay: refusals },
        isNewProject: standing.isNew,
        violations,
        warnings,
      },
      levels,
      isDisabled: standing.disabled,
      disabledReason: standing.disabledReason,
      recentSuspensions: standing.suspensions,
    };
  },
});
