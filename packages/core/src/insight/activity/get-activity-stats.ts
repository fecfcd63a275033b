import { percent } from '../../base/figures/index.ts';
import { projectOf, query } from '../../base/kernel/index.ts';
import { activityStats, activityStatsInput } from './activity.schema.ts';
import { activityPeriod } from './activity-period.ts';
import { monthBefore } from './month-before.ts';
import { readTotals } from './stats.store.ts';

export const getActivityStats = query({
  name: 'activity.stats',
  summary: 'Counts events, emails and started workflows of a period, by default the last 30 days',
  permission: 'data:read',
  input: activityStatsInput,
  output: activityStats,
  async handler(ctx, input) {
    const { id: projectId, timeZone } = projectOf(ctx);
    const { from, to } = activityPeriod(input, timeZone);
    const totals = await readTotals(ctx.db, projectId, {
      from: from ?? monthBefore(to ?? new Date()),
      to,
      key: `${from?.toISOString() ?? 'month'}/${to?.toISOString() ?? 'now'}`,
    });
    return {
      totalEvents: totals.events,
      totalEmailsSent: totals.sent,
      totalEmailsOpened: totals.opened,
      totalEmailsClicked: totals.clicked,
      totalWorkflowsStarted: totals.workflowsStarted,
      openRate: percent(totals.opened, totals.sent),
      clickRate: percent(totals.clicked, totals.sent),
    };
  },
});
