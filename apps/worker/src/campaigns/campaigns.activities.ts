import {
  type CampaignStep,
  closeLedger,
  detachBatch,
  freezeAudience,
  giveUpCampaign,
  lookAtTest,
  readCampaignStep,
  requeueRest,
  skipBatch,
  startCampaign,
} from '@postrider/core/automation/campaigns';
import { transactionTime } from '@postrider/core/base/db';
import { type Services, untilMemory } from '@postrider/core/base/kernel';

export interface CampaignActivities {
  readCampaignStep(campaignId: string): Promise<CampaignStep>;
  startCampaign(campaignId: string): Promise<void>;
  freezeAudience(campaignId: string): Promise<{ totalRecipients: number }>;
  /** @returns whether the campaign has ended */
  closeLedger(campaignId: string): Promise<boolean>;
  skipBatch(campaignId: string): Promise<number>;
  detachBatch(campaignId: string): Promise<boolean>;
  requeueRest(campaignId: string): Promise<void>;
  giveUpCampaign(campaignId: string): Promise<boolean>;
  lookAtTest(campaignId: string): Promise<void>;
}

/** @param clock milliseconds since the epoch, by default those of the database; tests that skip time pass the clock of their Temporal server */
export function createCampaignActivities(
  services: Services,
  clock: () => Promise<number> = async () => (await transactionTime(services.database.prisma)).getTime(),
): CampaignActivities {
  return {
    readCampaignStep: async (campaignId) => readCampaignStep(services, campaignId, await clock()),
    startCampaign: async (campaignId) => startCampaign(services, campaignId, await clock()),
    async freezeAudience(campaignId) {
      // A campaign that begins later is better than a process that ends for want of memory.
      await untilMemory();
      return freezeAudience(services, campaignId);
    },
    closeLedger: (campaignId) => closeLedger(services, campaignId),
    skipBatch: (campaignId) => skipBatch(services, campaignId),
    detachBatch: (campaignId) => detachBatch(services, campaignId),
    requeueRest: (campaignId) => requeueRest(services, campaignId),
    giveUpCampaign: (campaignId) => giveUpCampaign(services, campaignId),
    lookAtTest: async (campaignId) => lookAtTest(services, campaignId, await clock()),
  };
}
