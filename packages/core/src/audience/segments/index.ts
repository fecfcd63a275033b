export { addMatchingMembers } from './add-matching-members.ts';
export { addSegmentMembers } from './add-segment-members.ts';
export { type Audience, audienceSql, readsOfAudience } from './audience.ts';
export { bulkAddToSegment } from './bulk-add-to-segment.ts';
export { compileForClocks } from './clocks.store.ts';
export { computeIfDue, findNeglectedSegments, refreshTouched } from './compute.ts';
export { computeSegment } from './compute-segment.ts';
export { countFilter } from './count-filter.ts';
export { createSegment } from './create-segment.ts';
export { deleteSegment } from './delete-segment.ts';
export {
  type DecidingFilter,
  evaluateTrees,
  judgeRows,
  mostReasons,
  type TreeRow,
} from './evaluate-trees.store.ts';
export { readFilterFacts } from './filter-facts.store.ts';
export { compileForEach } from './filters.store.ts';
export { getSegment } from './get-segment.ts';
export { getSegmentUsage } from './get-segment-usage.ts';
export { getSegments } from './get-segments.ts';
export { assertFilterTree, conditionsBehindEach } from './graph.store.ts';
export { runContactImport } from './import-into-segment.ts';
export { listContacts } from './list-contacts.ts';
export { listContactsOfEach } from './list-contacts-of-each.ts';
export { listSegmentContacts } from './list-segment-contacts.ts';
export { listSegments } from './list-segments.ts';
export { listSegmentsOfEach } from './list-segments-of-each.ts';
export { touchContacts } from './membership.store.ts';
export { type EqualProperty, eventNumber, eventWhereSql } from './occurrences.store.ts';
export { refreshSegment } from './refresh-segment.ts';
export { removeSegmentMembers } from './remove-segment-members.ts';
export { runContactChange } from './run-contact-change.ts';
export { segmentNotFound } from './segment-not-found.ts';
export { createSegmentWheel, turnWheel } from './segment-wheel.ts';
export { computeSegmentJob, refreshMembershipJob } from './segments.jobs.ts';
export {
  countContactsThat,
  findSegment,
  isReportedSegment,
  segmentExists,
  withinTime,
} from './segments.store.ts';
export { updateSegment } from './update-segment.ts';
