import { deliverCampaignJob } from '@postrider/core/campaigns';
import { type DeliveryRuntime, runLane } from '@postrider/core/sending';
import { Context } from '@temporalio/activity';

export interface DeliverInput {
  projectId: string;
}

export interface DeliverResult {
  /** milliseconds since the epoch; null when nothing is pending */
  nextDueAt: number | null;
  settled: number;
}

export interface SendingActivities {
  deliverDirect(input: DeliverInput): Promise<DeliverResult>;
  deliverBulk(input: DeliverInput): Promise<DeliverResult>;
}

const heartbeatEveryMs = 2_000;

/** Delivery runs inside one long activity per lane: Temporal only starts it. */
export function createSendingActivities(runtime: DeliveryRuntime, stopping: AbortSignal): SendingActivities {
  async function deliver(lane: 'direct' | 'bulk', { projectId }: DeliverInput): Promise<DeliverResult> {
    const context = Context.current();
    const signal = AbortSignal.any([context.cancellationSignal, stopping]);
    let settled = 0;
    const heart = setInterval(() => context.heartbeat(settled), heartbeatEveryMs);
    try {
      const result = await runLane(runtime, {
        projectId,
        lane,
        signal,
        onProgress: (done) => {
          settled = done;
        },
      });
      // A campaign whose last email was settled ends now, not at its next poll.
      await Promise.all(
        result.campaignIds.map((campaignId) =>
          runtime.services.workflows.signal(deliverCampaignJob, { campaignId }),
        ),
      );
      return { nextDueAt: result.nextDueAt?.getTime() ?? null, settled: result.settled };
    } finally {
      clearInterval(heart);
    }
  }
  return {
    deliverDirect: (input) => deliver('direct', input),
    deliverBulk: (input) => deliver('bulk', input),
  };
}
