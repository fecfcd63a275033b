import { describe, expect, it } from 'vitest';
import { mailboxText, readAddressCell, readMailbox, splitMailboxes } from './mailboxes.rules.ts';

const address = 'ann@shop.example';

describe('a mailbox', () => {
  it.each([
    ['Ann@Shop.example', null],
    ['<ann@shop.example>', null],
    [' Ann  <Ann@Shop.example> ', 'Ann'],
    ['Ann<ann@shop.example>', 'Ann'],
    ['Dr. Ann & Söhne <ann@shop.example>', 'Dr. Ann & Söhne'],
    ['"Miller, Ann" <ann@shop.example>', 'Miller, Ann'],
    ['"Ann \\"The\\" \\\\ Shop" < ann@shop.example >', 'Ann "The" \\ Shop'],
    ['"" <ann@shop.example>', null],
    ['"ann@other.example" <ann@shop.example>', 'ann@other.example'],
    ['ANN@shop.example <ann@shop.example>', null],
    ['=?UTF-8?Q?Ann?= <ann@shop.example>', '=?UTF-8?Q?Ann?='],
  ])('%j is one', (given, name) => {
    expect(readMailbox(given)).toEqual({ email: address, name });
  });

  it.each([
    ['', 'missing'],
    [' \u200b ', 'missing'],
    ['ann@shop.example, bob@shop.example', 'several'],
    ['ann@shop.example; bob@shop.example', 'several'],
    ['Ann <ann@shop.example>, Bob <bob@shop.example>', 'several'],
    ['bob@shop.example <ann@shop.example>', 'several'],
    ['Ann (home) <ann@shop.example>', 'several'],
    ['ann@shop.example (Ann)', 'several'],
    ['Team: ann@shop.example;', 'several'],
    ['Ann <ann@shop.example', 'malformed'],
    ['Ann <>', 'malformed'],
    ['Ann <ann>', 'malformed'],
    ['Ann', 'malformed'],
    ['"Ann <ann@shop.example>', 'malformed'],
    ['Ann <ann@shop.example> Bob', 'malformed'],
    ['Ann <<ann@shop.example>>', 'malformed'],
    [`${'n'.repeat(2_000)} <ann@shop.example>`, 'malformed'],
  ])('%j is not: %s', (given, problem) => {
    expect(readMailbox(given)).toBe(problem);
  });
});

it.each([
  ['mailto:Ann@shop.example', { email: address }],
  [' MAILTO:ann@shop.example ', { email: address }],
  ['Ann <mailto:ann@shop.example>', { email: address }],
  ['Ann <ann@shop.example>', { email: address }],
  ['ann@shop.example,bob@shop.example', 'several'],
  ['mailto:', 'missing'],
  ['ann', 'malformed'],
])('the cell %j is read as %j', (cell, read) => {
  expect(readAddressCell(cell)).toEqual(read);
});

it.each([
  ['a@shop.example', ['a@shop.example']],
  ['Ann <a@shop.example>, b@shop.example', ['Ann <a@shop.example>', 'b@shop.example']],
  [
    '"Miller, \\"Ann" <a@shop.example>,b@shop.example',
    ['"Miller, \\"Ann" <a@shop.example>', 'b@shop.example'],
  ],
  ['Ann <a,b@shop.example>', ['Ann <a,b@shop.example>']],
  ['a@shop.example,', ['a@shop.example', '']],
  ['"a, b', ['"a, b']],
])('the list %j is split into %j', (list, parts) => {
  expect(splitMailboxes(list)).toEqual(parts);
});

it.each(['Ann', 'Miller, "Ann" \\', 'a@shop.example', 'Jörg (home)'])('the name %j is read back', (name) => {
  const mailbox = { email: 'b@shop.example', name };
  expect(readMailbox(mailboxText(mailbox))).toEqual(mailbox);
});
