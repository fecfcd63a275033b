import { expect, it } from 'vitest';
import { testIn, testInWords, treeIn } from './test-tree.rules.ts';

it.each([
  'plan == "pro"',
  'plan == "pro" and seats > 3',
  'plan == "pro" or plan == "team"',
  'event.total >= 20',
  'subscribed == true',
  'data["first name"] != blank',
])('%s is the same after its rows were edited', (test) => {
  const tree = treeIn(test);
  expect(tree && testIn(tree)).toBe(test);
});

it('what rows cannot say has none', () => {
  expect(treeIn('a == 1 and b == 2 or c == 3')).toBeNull();
  expect(treeIn('order.items.size > 3')).toBeNull();
});

it('rows that are not complete are no test', () => {
  const tree = treeIn('');
  expect(tree?.items).toHaveLength(1);
  expect(tree && testIn(tree)).toBeNull();
});

it.each([
  ['plan == "pro"', 'plan is “pro”'],
  ['seats > 3 or subscribed == true', 'seats is greater than 3 or subscribed is yes'],
  ['plan == blank', 'plan is empty'],
  ['order.items.size > 3', 'order.items.size > 3'],
  ['', '…'],
])('%j in words is %s', (test, words) => expect(testInWords(test)).toBe(words));
