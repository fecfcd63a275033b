import { defineBlock } from '../rule.rules.ts';

/** What the audience names is gone: a segment. */
export const referenceRule = defineBlock({
  name: 'reference',
  field: 'segmentId',
  needs: ['reference'],
  refusal: ({ reference }) => reference,
});
