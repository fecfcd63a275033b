import { defineBlock } from '../rule.rules.ts';

/** A cap of billing (behaviour B4.18), or the daily cap of a new project (B8.1). */
export const capRule = defineBlock({
  name: 'cap',
  field: null,
  needs: ['cap'],
  refusal: ({ cap }) => cap,
});
