import type { Services } from '@postrider/core/base/kernel';
import { allOf } from './all-of.ts';
import { type AnalyticsActivities, createAnalyticsActivities } from './analytics/analytics.activities.ts';
import { type BillingActivities, createBillingActivities } from './billing/billing.activities.ts';
import { type CampaignActivities, createCampaignActivities } from './campaigns/campaigns.activities.ts';
import { type ContactActivities, createContactActivities } from './contacts/contacts.activities.ts';
import { createDomainActivities, type DomainActivities } from './domains/domains.activities.ts';
import type { WorkerConfig } from './env.ts';
import { createExportActivities, type ExportActivities } from './exports/exports.activities.ts';
import { createReconcileActivities, type ReconcileActivities } from './reconcile/reconcile.activities.ts';
import { createRemovalActivities, type RemovalActivities } from './removal/removal.activities.ts';
import { createReputationActivities, type ReputationActivities } from './reputation/reputation.activities.ts';
import { createRetentionActivities, type RetentionActivities } from './retention/retention.activities.ts';
import { createSegmentActivities, type SegmentActivities } from './segments/segments.activities.ts';
import type { CustomerSchedules } from './workflows/customer-schedule.ts';
import type { Drivers } from './workflows/drivers.ts';
import { createWorkflowActivities, type WorkflowActivities } from './workflows/workflows.activities.ts';

export type ControlActivities = AnalyticsActivities &
  BillingActivities &
  CampaignActivities &
  ContactActivities &
  DomainActivities &
  ExportActivities &
  ReconcileActivities &
  RemovalActivities &
  ReputationActivities &
  RetentionActivities &
  SegmentActivities &
  WorkflowActivities;

/** The activities of the control queue, all of them short. */
export const createActivities = (
  services: Services,
  schedules: CustomerSchedules,
  drivers: Drivers,
  config: Pick<WorkerConfig, 'overdueSeconds' | 'delivery'>,
): ControlActivities =>
  allOf(
    createAnalyticsActivities(services),
    createBillingActivities(services),
    createCampaignActivities(services),
    createContactActivities(services),
    createDomainActivities(services),
    createExportActivities(services),
    createReconcileActivities(services, { ...config, drivers, leaseMs: config.delivery.leaseMs }),
    createRemovalActivities(services),
    createReputationActivities(services),
    createRetentionActivities(services),
    createSegmentActivities(services),
    createWorkflowActivities(services, schedules),
  ) as ControlActivities;
