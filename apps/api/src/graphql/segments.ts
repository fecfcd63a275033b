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
  refreshSegment,
  removeSegmentMembers,
  updateSegment,
} from '@postrider/core/audience/segments';
import { Contact, QueuedJob } from './contacts.ts';
import { deletionField, mutationField, queryField, recordField } from './fields.ts';
import { pageField } from './lists.ts';
import { objectFromZod } from './object-from-zod.ts';

export const Segment = objectFromZod(getSegment.output);
const SegmentUsage = objectFromZod(getSegmentUsage.output);
const AddedMembers = objectFromZod(addSegmentMembers.output);
const RemovedMembers = objectFromZod(removeSegmentMembers.output);
const ComputedSegment = objectFromZod(computeSegment.output);
const RefreshedSegment = objectFromZod(refreshSegment.output);

const FilterCount = objectFromZod(countFilter.output, 'FilterCount');

recordField('segment', getSegment, Segment);
queryField('segments', listSegments, [Segment]);
queryField('segmentUsage', getSegmentUsage, SegmentUsage);
pageField('segmentContacts', listSegmentContacts, Contact);
queryField('filterCount', countFilter, FilterCount);
mutationField('createSegment', createSegment, Segment);
mutationField('updateSegment', updateSegment, Segment);
mutationField('addSegmentMembers', addSegmentMembers, AddedMembers);
mutationField('addMatchingSegmentMembers', addMatchingMembers, QueuedJob);
mutationField('removeSegmentMembers', removeSegmentMembers, RemovedMembers);
mutationField('computeSegment', computeSegment, ComputedSegment);
mutationField('refreshSegment', refreshSegment, RefreshedSegment);
deletionField('deleteSegment', deleteSegment);
