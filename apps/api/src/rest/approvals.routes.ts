import {
  approveApproval,
  declineApproval,
  getApproval,
  listApprovals,
  previewApproval,
} from '@postrider/core/insight/approvals';
import type { RestDoor } from './door.ts';
import { mount } from './mount.ts';

export function mountApprovals(door: RestDoor): void {
  mount(door, 'GET', '/approvals', listApprovals);
  mount(door, 'GET', '/approvals/:id', getApproval);
  mount(door, 'GET', '/approvals/:id/preview', previewApproval);
  mount(door, 'POST', '/approvals/:id/approve', approveApproval);
  mount(door, 'POST', '/approvals/:id/decline', declineApproval);
}
