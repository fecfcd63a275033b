import { listCalendar } from '@postrider/core/automation/calendar';
import {
  adviseTest,
  cancelCampaign,
  createCampaign,
  createSequel,
  decideTest,
  deleteCampaign,
  duplicateCampaign,
  getCampaign,
  getCampaignAudience,
  getCampaignStats,
  listCampaigns,
  listRecipients,
  pauseCampaign,
  preflightCampaign,
  preflightDraft,
  resumeCampaign,
  retryCampaign,
  sendCampaign,
  testCampaign,
  unscheduleCampaign,
  updateCampaign,
} from '@postrider/core/automation/campaigns';
import { requestApproval } from '@postrider/core/insight/approvals';
import type { RestDoor } from './door.ts';
import { mount } from './mount.ts';

export function mountCampaigns(door: RestDoor): void {
  mount(door, 'GET', '/campaigns', listCampaigns);
  mount(door, 'POST', '/campaigns', createCampaign, { status: 201, envelope: true });
  mount(door, 'GET', '/campaigns/calendar', listCalendar);
  mount(door, 'GET', '/campaigns/:id', getCampaign);
  mount(door, 'PUT', '/campaigns/:id', updateCampaign);
  mount(door, 'DELETE', '/campaigns/:id', deleteCampaign, { status: 204 });
  mount(door, 'POST', '/campaigns/:id/duplicate', duplicateCampaign, { status: 201 });
  mount(door, 'POST', '/campaigns/:id/sequel', createSequel, { status: 201 });
  mount(door, 'POST', '/campaigns/preflight', preflightDraft);
  mount(door, 'POST', '/campaigns/:id/preflight', preflightCampaign);
  mount(door, 'POST', '/campaigns/:id/approval', requestApproval, { status: 201 });
  mount(door, 'POST', '/campaigns/:id/send', sendCampaign, {
    envelope: true,
    message: ({ scheduledFor }) =>
      scheduledFor ? `Campaign scheduled for ${scheduledFor}` : 'Campaign is being sent',
  });
  mount(door, 'POST', '/campaigns/:id/unschedule', unscheduleCampaign);
  mount(door, 'POST', '/campaigns/:id/pause', pauseCampaign);
  mount(door, 'POST', '/campaigns/:id/resume', resumeCampaign);
  mount(door, 'POST', '/campaigns/:id/cancel', cancelCampaign);
  mount(door, 'POST', '/campaigns/:id/test', testCampaign);
  mount(door, 'POST', '/campaigns/:id/test/decide', decideTest);
  mount(door, 'POST', '/campaigns/:id/test/advice', adviseTest);
  mount(door, 'POST', '/campaigns/:id/retry', retryCampaign, { status: 202 });
  mount(door, 'GET', '/campaigns/:id/stats', getCampaignStats);
  mount(door, 'GET', '/campaigns/:id/audience', getCampaignAudience);
  mount(door, 'GET', '/campaigns/:id/recipients', listRecipients);
}
