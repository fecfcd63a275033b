import type { WantedSchedule } from '@postrider/core/automation/workflows';
import { taskQueues } from '@postrider/core/base/kernel';
import {
  type Client,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import type { ScheduledWorkflow } from '../scheduled-workflow.ts';

const scheduleIdOf = (workflowId: string): string => `workflow-schedule/${workflowId}`;

/** The Temporal Schedules of SCHEDULE workflows. */
export interface CustomerSchedules {
  align(workflowId: string, wanted: WantedSchedule | null): Promise<void>;
}

export function createCustomerSchedules({ schedule }: Pick<Client, 'schedule'>): CustomerSchedules {
  async function remove(scheduleId: string): Promise<void> {
    try {
      await schedule.getHandle(scheduleId).delete();
    } catch (error) {
      if (!(error instanceof ScheduleNotFoundError)) throw error;
    }
  }

  return {
    async align(workflowId, wanted) {
      const scheduleId = scheduleIdOf(workflowId);
      if (!wanted) return remove(scheduleId);
      const definition = {
        spec: { cronExpressions: [wanted.cron], timezone: wanted.timezone },
        action: {
          type: 'startWorkflow' as const,
          workflowType: 'enterSchedule' satisfies ScheduledWorkflow,
          taskQueue: taskQueues.control,
          workflowId: `schedule-tick/${workflowId}`,
          args: [{ workflowId }],
        },
        // A tick is skipped while the previous one is still entering contacts; missed ticks are not made up for.
        policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' as const },
      };
      try {
        await schedule.create({ scheduleId, ...definition });
      } catch (error) {
        if (!(error instanceof ScheduleAlreadyRunning)) throw error;
        await schedule.getHandle(scheduleId).update((current) => ({ ...current, ...definition }));
      }
    },
  };
}
