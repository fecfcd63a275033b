import {
  addMatchingMembers,
  addSegmentMembers,
  computeSegment,
  countFilter,
  createSegment,
  deleteSegment,
  getSegment,
  getSegmentUsage,
  listSegmentContacts,
  listSegments,
  listSegmentsOfEach,
  refreshSegment,
  removeSegmentMembers,
  updateSegment,
} from '@postrider/core/audience/segments';
import { asMutation, asQuery, t } from './trpc.ts';

export const segmentsRouter = t.router({
  list: asQuery(listSegments),
  ofEach: asQuery(listSegmentsOfEach),
  get: asQuery(getSegment),
  getUsage: asQuery(getSegmentUsage),
  contacts: asQuery(listSegmentContacts),
  count: asQuery(countFilter),
  create: asMutation(createSegment),
  update: asMutation(updateSegment),
  delete: asMutation(deleteSegment),
  addMembers: asMutation(addSegmentMembers),
  addMatching: asMutation(addMatchingMembers),
  removeMembers: asMutation(removeSegmentMembers),
  compute: asMutation(computeSegment),
  refresh: asMutation(refreshSegment),
});
