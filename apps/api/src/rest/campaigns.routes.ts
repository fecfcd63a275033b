import {
  cancelCampaign,
  createCampaign,
  getCampaign,
  getCampaignStats,
  listCampaigns,
  sendCampaign,
} from '@postrider/core/campaigns';
import type { RestDoor } from './door.ts';
import { mount } from './mount.ts';

export function mountCampaigns(door: RestDoor): void {
  mount(door, 'GET', '/campaigns', listCampaigns);
  mount(door, 'POST', '/campaigns', createCampaign, { status: 201, envelope: true });
  mount(door, 'GET', '/campaigns/:id', getCampaign);
  mount(door, 'POST', '/campaigns/:id/send', sendCampaign, {
    envelope: true,
    message: ({ scheduledFor }) =>
      scheduledFor ? `Campaign scheduled for ${scheduledFor}` : 'Campaign is being sent',
  });
  mount(door, 'POST', '/campaigns/:id/cancel', cancelCampaign);
  mount(door, 'GET', '/campaigns/:id/stats', getCampaignStats);
}
