import { expect, it } from 'vitest';
import { groupsOf } from './groups.rules.ts';

const item = (minute: number, type: string, source: string, day = '2026-03-01') => ({
  ...{ type, source, day },
  at: new Date(Date.UTC(2026, 2, 1, 12, minute)),
});

it('items of one day, type and source are one group, in the order of its newest item', () => {
  const items = [
    item(9, 'email.opened', 'spring'),
    item(8, 'email.sent', 'spring'),
    item(7, 'email.sent', 'spring'),
    item(6, 'email.opened', 'spring'),
    item(5, 'email.sent', 'summer'),
    item(4, 'email.sent', 'spring', '2026-02-28'),
  ];
  const groups = groupsOf(items, (each) => each);
  expect(groups.map(({ type, day, count }) => [type, day, count])).toEqual([
    ['email.opened', '2026-03-01', 2],
    ['email.sent', '2026-03-01', 2],
    ['email.sent', '2026-03-01', 1],
    ['email.sent', '2026-02-28', 1],
  ]);
  expect(groups[1]).toMatchObject({ first: items[2]?.at, last: items[1]?.at, item: items[1] });
  expect(new Set(groups.map(({ key }) => key)).size).toBe(4);
});
