import {
  addMatchingMembers,
  addSegmentMembers,
  computeSegment,
  createSegment,
  deleteSegment,
  getSegment,
  getSegmentUsage,
  listSegmentContacts,
  listSegments,
  refreshSegment,
  removeSegmentMembers,
  updateSegment,
} from '@postrider/core/audience/segments';
import type { RestDoor } from './door.ts';
import { missing } from './flat.ts';
import { mount } from './mount.ts';

const nameMissing = missing('name');

/** A DYNAMIC segment, which is the default, needs an object as its condition (behaviour B7.4). */
function flatOf(input: Record<string, unknown>): string | null {
  const complaint = nameMissing(input);
  if (complaint) return complaint;
  const { type = null, condition } = input;
  if (type !== null && type !== 'DYNAMIC') return null;
  const isObject = typeof condition === 'object' && condition !== null && !Array.isArray(condition);
  return isObject ? null : 'condition is required for a dynamic segment';
}

export function mountSegments(door: RestDoor): void {
  mount(door, 'GET', '/segments', listSegments);
  mount(door, 'POST', '/segments', createSegment, { status: 201, flat: flatOf });
  mount(door, 'GET', '/segments/:id', getSegment);
  mount(door, 'PATCH', '/segments/:id', updateSegment);
  mount(door, 'DELETE', '/segments/:id', deleteSegment, { status: 204 });
  mount(door, 'GET', '/segments/:id/contacts', listSegmentContacts);
  mount(door, 'GET', '/segments/:id/usage', getSegmentUsage);
  mount(door, 'POST', '/segments/:id/members', addSegmentMembers, {
    instead: { operation: addMatchingMembers, status: 202, when: ({ condition }) => condition !== undefined },
  });
  mount(door, 'POST', '/segments/:id/members/matching', addMatchingMembers, { status: 202 });
  mount(door, 'DELETE', '/segments/:id/members', removeSegmentMembers, { from: 'body' });
  mount(door, 'POST', '/segments/:id/compute', computeSegment);
  mount(door, 'POST', '/segments/:id/refresh', refreshSegment);
}
