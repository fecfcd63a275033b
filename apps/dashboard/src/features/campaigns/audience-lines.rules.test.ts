import { inCampaign, inSegment, writeAudience } from '@postrider/core/automation/campaigns/contract';
import { expect, it } from 'vitest';
import { fromTree, isComplete, newTree, toTree } from '../common/filters/filter-tree.rules.ts';
import {
  draftOfAudience,
  idOf,
  kindOf,
  lineOf,
  linesOfTree,
  treeOfLine,
  treeOfLines,
} from './audience-lines.rules.ts';

const id = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}`;
const sides = [
  {
    include: [[inSegment(id(1))], [inSegment(id(2))], [inCampaign(id(3), 'sent')]],
    exclude: [inSegment(id(4))],
  },
  { include: [[inCampaign(id(3), 'cancelled')]], exclude: [] },
  { include: [[inCampaign(id(3), 'sent')]], exclude: [inCampaign(id(3), 'opened')] },
  { include: [], exclude: [inSegment(id(1)), inCampaign(id(3), 'clicked')] },
];

it.each(sides)('an audience of parts is shown as lines, and saved as the same tree', (parts) => {
  const tree = writeAudience(parts);
  const draft = draftOfAudience(tree);
  const lines = linesOfTree(draft);
  expect(lines?.include.map((line) => [kindOf(line), idOf(line)])).toHaveLength(parts.include.length);
  expect(lines?.exclude.map(idOf)).toHaveLength(parts.exclude.length);
  expect(toTree(draft)).toEqual(tree);
  expect(lines && toTree(treeOfLines(lines))).toEqual(tree);
});

it('lines are added on either side, and are complete once they name something', () => {
  const empty = treeOfLines({ include: [lineOf('include', 'segment', '')], exclude: [] });
  expect(isComplete(empty)).toBe(false);
  expect(linesOfTree(empty)?.include.map(kindOf)).toEqual(['segment']);
  expect(isComplete(treeOfLines({ include: [lineOf('include', 'sent', '')], exclude: [] }))).toBe(false);
  const line = lineOf('exclude', 'clicked', id(3), 'kept');
  expect(line.key).toBe('kept');
  const lines = { include: [lineOf('include', 'segment', id(1))], exclude: [line] };
  expect(toTree(treeOfLines(lines))).toEqual(
    writeAudience({ include: [[inSegment(id(1))]], exclude: [inCampaign(id(3), 'clicked')] }),
  );
  expect(toTree(treeOfLine(line)).groups[0]?.filters).toEqual([inCampaign(id(3), 'clicked')]);
});

it('any other tree stays in the filter builder', () => {
  const gold = { field: 'data.plan', operator: 'equals' as const, value: 'gold' };
  for (const tree of [
    { logic: 'AND' as const, groups: [{ filters: [gold] }] },
    writeAudience({ include: [[gold]], exclude: [inSegment(id(1))] }),
    writeAudience({ include: [[inSegment(id(1)), inSegment(id(2))]], exclude: [] }),
  ]) {
    expect(toTree(draftOfAudience(tree))).toEqual(toTree(fromTree(tree)));
    expect(linesOfTree(draftOfAudience(tree))).toBeNull();
  }
  expect(linesOfTree(newTree())).toBeNull();
});
