import type { Services } from '@postrider/core/kernel';
import { type CampaignActivities, createCampaignActivities } from './campaigns/campaigns.activities.ts';
import { createDomainActivities, type DomainActivities } from './domains/domains.activities.ts';
import { createReconcileActivities, type ReconcileActivities } from './reconcile/reconcile.activities.ts';

export type ControlActivities = CampaignActivities & DomainActivities & ReconcileActivities;

/** Everything short that runs on the control queue. */
export const createActivities = (services: Services): ControlActivities => ({
  ...createCampaignActivities(services),
  ...createDomainActivities(services),
  ...createReconcileActivities(services),
});
