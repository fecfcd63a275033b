export {
  countRecipients,
  estimateToSend,
  standingOf,
} from './approval-of-campaign.ts';
export { endAsking, factsOfApproval, findLatestApproval } from './campaign-approvals.store.ts';
export {
  type CampaignStep,
  findNeglectedCampaigns,
  giveUpCampaign,
  readCampaignStep,
  startCampaign,
} from './campaign-delivery.ts';
export { deliverCampaignJob } from './campaigns.jobs.ts';
export { assertState } from './campaigns.rules.ts';
export { requestApprovalInput } from './campaigns.schema.ts';
export {
  changeCampaign,
  countCampaigns,
  findActiveCampaigns,
  findCampaign,
  findCampaigns,
  lockCampaign,
  pageOfCampaigns,
  reportCancelled,
} from './campaigns.store.ts';
export { cancelCampaign } from './cancel-campaign.ts';
export { differencesOf } from './check-counters.ts';
export { detachBatch, skipBatch } from './clear-campaign.ts';
export { closeLedger, createCloser } from './close-campaign.ts';
export { createCampaign } from './create-campaign.ts';
export { createSequel } from './create-sequel.ts';
export { deleteCampaign } from './delete-campaign.ts';
export { duplicateCampaign } from './duplicate-campaign.ts';
export { wantedAudiences } from './estimate-campaign.ts';
export { followCampaign } from './follow-campaign.ts';
export { freezeAudience } from './freeze-audience.ts';
export { campaignNotFound, getCampaign } from './get-campaign.ts';
export { getCampaignAudience } from './get-campaign-audience.ts';
export { getCampaignStats } from './get-campaign-stats.ts';
export { getCampaigns } from './get-campaigns.ts';
export { getStatsOfCampaigns } from './get-stats-of-campaigns.ts';
export { createGuard } from './guard-campaign.ts';
export { stateOf } from './hash-campaign.ts';
export { listCampaigns } from './list-campaigns.ts';
export { listCampaignsOfEach } from './list-campaigns-of-each.ts';
export { listRecipients } from './list-recipients.ts';
export { listRecipientsOfEach } from './list-recipients-of-each.ts';
export { lookAtAudience } from './look-at-audience.ts';
export { pauseCampaign } from './pause-campaign.ts';
export { preflightCampaign } from './preflight-campaign.ts';
export { preflightDraft } from './preflight-draft.ts';
export { presentCampaigns } from './present-campaign.ts';
export { previewAudience } from './preview-audience.ts';
export { readUnreadCampaigns } from './read-unread-campaigns.ts';
export { requeueRest } from './requeue-emails.ts';
export { cancelUnknown, reopenCampaigns } from './restore.store.ts';
export { resumeCampaign } from './resume-campaign.ts';
export { retryCampaign } from './retry-campaign.ts';
export { sendCampaign } from './send-campaign.ts';
export { tellOfForgotten } from './tell-of-pause.ts';
export { testCampaign } from './test-campaign.ts';
export { unscheduleCampaign } from './unschedule-campaign.ts';
export { updateCampaign } from './update-campaign.ts';
export { adviseTest } from './variants/advise-test.ts';
export { decideTest } from './variants/decide-test.ts';
export { figuresOfVariants } from './variants/figures-of-variants.ts';
export { lookAtTest } from './variants/judge-test.ts';
