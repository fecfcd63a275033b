import {
  addSegmentMembers,
  computeSegment,
  createSegment,
  deleteSegment,
  getSegment,
  listSegmentContacts,
  listSegments,
  refreshSegment,
  removeSegmentMembers,
  updateSegment,
} from '@postrider/core/segments';
import { builder } from './builder.ts';
import { Contact } from './contacts.ts';
import { mutationField, recordField } from './fields.ts';
import { pageField } from './lists.ts';
import { objectFromZod } from './object-from-zod.ts';

export const Segment = objectFromZod(getSegment.output, 'Segment');
const AddedMembers = objectFromZod(addSegmentMembers.output, 'AddedMembers');
const RemovedMembers = objectFromZod(removeSegmentMembers.output, 'RemovedMembers');
const ComputedSegment = objectFromZod(computeSegment.output, 'ComputedSegment');
const RefreshedSegment = objectFromZod(refreshSegment.output, 'RefreshedSegment');

recordField('segment', getSegment, Segment);
builder.queryField('segments', (t) =>
  t.field({
    type: [Segment],
    description: listSegments.summary,
    extensions: { operation: listSegments.name },
    resolve: (_root, _args, { ctx }) => listSegments.run(ctx, {}),
  }),
);
pageField('segmentContacts', listSegmentContacts, Contact);
mutationField('createSegment', createSegment, Segment);
mutationField('updateSegment', updateSegment, Segment);
mutationField('addSegmentMembers', addSegmentMembers, AddedMembers);
mutationField('removeSegmentMembers', removeSegmentMembers, RemovedMembers);
mutationField('computeSegment', computeSegment, ComputedSegment);
mutationField('refreshSegment', refreshSegment, RefreshedSegment);
builder.mutationField('deleteSegment', (t) =>
  t.id({
    description: `${deleteSegment.summary} Answers the id.`,
    extensions: { operation: deleteSegment.name },
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, { ctx }) => {
      await deleteSegment.run(ctx, { id });
      return id;
    },
  }),
);
