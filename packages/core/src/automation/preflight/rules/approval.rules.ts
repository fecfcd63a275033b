import { defineBlock } from '../rule.rules.ts';

/** A second person has to approve it, and has not (behaviour B13.9). */
export const approvalRule = defineBlock({
  name: 'approval',
  field: null,
  needs: ['approval'],
  refusal: ({ approval }) => approval,
});
