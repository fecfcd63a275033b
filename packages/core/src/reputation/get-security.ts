import { projectIdOf, query } from '../kernel/index.ts';
import { accessDenied } from '../projects/index.ts';
import { assess, ratesOf } from './reputation.rules.ts';
import { securityInput, securityOutput } from './reputation.schema.ts';
import { readCounts, readStanding } from './reputation.store.ts';

export const getSecurity = query({
  name: 'reputation.security',
  summary: 'Returns the bounce and complaint levels of a project, and whether it is or was disabled',
  permission: 'project:read',
  input: securityInput,
  output: securityOutput,
  async handler(ctx, { id }) {
    if (id !== projectIdOf(ctx)) throw accessDenied();
    const [counts, standing] = await Promise.all([readCounts(ctx.db, id), readStanding(ctx.db, id)]);
    if (!standing) throw accessDenied();
    const windows = {
      twentyFourHour: ratesOf(counts.twentyFourHour),
      sevenDay: ratesOf(counts.sevenDay),
      allTime: ratesOf(counts.allTime),
    };
    const { levels, violations, warnings } = assess(windows, standing.isNew);
    return {
      status: {
        projectId: id,
        isHealthy: violations.length + warnings.length === 0,
        shouldDisable: violations.length > 0,
        ...windows,
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
