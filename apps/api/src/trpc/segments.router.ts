import {
  addSegmentMembers,
  computeSegment,
  countFilter,
  createSegment,
  deleteSegment,
  getSegment,
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
  contacts: asQuery(listSegmentContacts),
  count: asQuery(countFilter),
  create: asMutation(createSegment),
  update: asMutation(updateSegment),
  delete: asMutation(deleteSegment),
  addMembers: asMutation(addSegmentMembers),
  removeMembers: asMutation(removeSegmentMembers),
  compute: asMutation(computeSegment),
  refresh: asMutation(refreshSegment),
});
