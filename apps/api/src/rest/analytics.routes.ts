import {
  compareCampaigns,
  getBreakdown,
  getCampaignAnalytics,
  getCampaignReport,
  getClients,
  getContactGrowth,
  getTimeseries,
  getWorkflowFigures,
  listLinks,
  listTopCampaigns,
  listTopEvents,
} from '@postrider/core/insight/analytics';
import type { RestDoor } from './door.ts';
import { mount } from './mount.ts';

export function mountAnalytics(door: RestDoor): void {
  mount(door, 'GET', '/analytics/timeseries', getTimeseries);
  mount(door, 'GET', '/analytics/top-campaigns', listTopCampaigns);
  mount(door, 'GET', '/analytics/campaign-stats', getCampaignAnalytics);
  mount(door, 'GET', '/analytics/top-events', listTopEvents);
  mount(door, 'GET', '/analytics/breakdown', getBreakdown);
  mount(door, 'GET', '/analytics/compare', compareCampaigns);
  mount(door, 'GET', '/analytics/clients', getClients);
  mount(door, 'GET', '/analytics/links', listLinks);
  mount(door, 'GET', '/analytics/contacts', getContactGrowth);
  mount(door, 'GET', '/campaigns/:id/report', getCampaignReport);
  mount(door, 'GET', '/workflows/:id/figures', getWorkflowFigures);
}
