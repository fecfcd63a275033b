import { expect, it } from 'vitest';
import { newTree } from '../common/filters/filter-tree.rules.ts';
import { isStorable, missingOf } from './steps.rules.ts';

const complete = {
  name: 'Spring',
  subject: 'Hello',
  from: 'news@shop.test',
  body: '<p>Hi</p>',
  audienceType: 'ALL',
};
const texts = (values: Record<string, string>, willSend: number | null = 5) =>
  missingOf({ ...complete, ...values }, newTree(), willSend).map(({ text }) => text);

it.each<[Record<string, string>, string[]]>([
  [{}, []],
  [{ body: ' ', name: '' }, ['Enter a name', 'Write the email']],
  [{ audienceType: 'SEGMENT', segmentId: '' }, ['Select a segment']],
  [{ audienceType: 'SEGMENT', segmentId: 'x' }, []],
  [{ audienceType: 'FILTERED', subject: '' }, ['Complete the filters', 'Enter a subject']],
])('%j: what is missing, in the order of the steps', (values, expected) => {
  expect(texts(values)).toEqual(expected);
});

it('an audience without recipients can be stored but not sent', () => {
  expect(texts({}, 0)).toEqual(['Choose an audience with recipients']);
  expect(isStorable(complete, newTree())).toBe(true);
  expect(isStorable({ ...complete, from: '' }, newTree())).toBe(false);
});
