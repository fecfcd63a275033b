import type { Services } from '../../base/kernel/services.ts';
import type { Written } from '../ledger/index.ts';
import type { HeldBatch } from './held-batch.ts';
import type { Holdings } from './holdings.ts';

export interface SignalTargets {
  services: Pick<Services, 'scheduleFollowUps'>;
  holdings: Holdings;
  /** whether email of campaigns of this project is known to be due */
  hasBulkDue(projectId: string): boolean;
  /** the counters of the campaign have changed */
  onCampaignCounted(campaignId: string): void;
  /** all emails of the campaign may be settled */
  onCampaignDrained(campaignId: string): void;
}

/** The signals that follow a write: pending events of a project, and campaigns that may have ended. Any may be lost. */
export class Signals {
  readonly #targets: SignalTargets;
  readonly #campaigns = new Map<string, string>();

  constructor(targets: SignalTargets) {
    this.#targets = targets;
  }

  written(written: Written, batches: readonly HeldBatch[] = []): void {
    for (const projectId of written.projects) this.#targets.services.scheduleFollowUps(projectId);
    for (const { campaignId, projectId } of batches) {
      if (campaignId !== null) this.#campaigns.set(campaignId, projectId);
    }
    const own = new Set(batches.map(({ campaignId }) => campaignId));
    for (const campaignId of written.campaigns) {
      this.#targets.onCampaignCounted(campaignId);
      if (!own.has(campaignId)) this.#targets.onCampaignDrained(campaignId);
    }
    this.reviewCampaigns();
  }

  /** To be called when batches were written, and when a claim has found nothing more. */
  reviewCampaigns(): void {
    const { holdings, hasBulkDue, onCampaignDrained } = this.#targets;
    for (const [campaignId, projectId] of this.#campaigns) {
      if (hasBulkDue(projectId) || holdings.holdsCampaign(campaignId)) continue;
      this.#campaigns.delete(campaignId);
      onCampaignDrained(campaignId);
    }
  }
}
