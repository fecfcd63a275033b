import { expect, it } from 'vitest';
import { knownColumn } from './known-columns.rules.ts';

it.each([
  ['OPTIN_TIME', ['2024-05-01 10:11:12', ''], 'consent.at'],
  ['OPTIN_IP', ['203.0.113.7'], 'consent.ip'],
  ['CONFIRM_TIME', ['2024-05-01 10:11:12'], 'consent.confirmedAt'],
  ['Confirm IP', [''], 'consent.confirmedIp'],
  ['UNSUB_TIME', ['2024-05-01'], 'consent.unsubscribedAt'],
  ['Accepts Email Marketing', ['yes', 'no', ''], 'subscribed'],
  ['Accepts Email Marketing', ['perhaps'], null],
  ['Newsletter', ['ja', 'nein', ''], 'subscribed'],
  ['Newsletter', ['Spring news'], null],
  ['Email Marketing Consent', ['1', '0'], 'subscribed'],
  ['OPT_IN', ['Yes'], 'subscribed'],
  ['OPTIN_TIME', ['last spring'], null],
  ['plan', ['yes'], null],
  ['constructor', ['yes'], null],
])('a column %s with %j becomes %s', (header, cells, target) => {
  expect(knownColumn(header, cells)).toBe(target);
});
