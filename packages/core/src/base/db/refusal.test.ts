import { expect, it } from 'vitest';
import { refusalOf } from './refusal.ts';

const refused = (text: string) => Object.assign(new Error(text), { code: 'PR001' });

it.each([
  ['sender', { rule: 'sender' }],
  ['idempotency', { rule: 'idempotency' }],
  ['unsubscribed:a@b.test', { rule: 'unsubscribed', address: 'a@b.test' }],
  ['data_too_large:"a:b"@c.test', { rule: 'data_too_large', address: '"a:b"@c.test' }],
])('reads the refusal %s of pg', (text, refusal) => {
  expect(refusalOf(refused(text))).toEqual(refusal);
});

it('reads the same from an error of Prisma', () => {
  const cause = { originalCode: 'PR001', originalMessage: 'unsubscribed:a@b.test' };
  const error = Object.assign(new Error('Raw query failed'), {
    code: 'P2010',
    meta: { driverAdapterError: { cause } },
  });
  expect(refusalOf(error)).toEqual({ rule: 'unsubscribed', address: 'a@b.test' });
});

it('is null for every other failure', () => {
  expect(refusalOf(Object.assign(new Error('sender'), { code: '40P01' }))).toBeNull();
  expect(refusalOf(new Error('sender'))).toBeNull();
  expect(refusalOf(null)).toBeNull();
});

it.each(['', 'sender:', 'unsubscribed', 'quota:5'])(
  'reports the unknown refusal "%s" with its cause',
  (text) => {
    const error = refused(text);
    expect(() => refusalOf(error)).toThrow(
      expect.objectContaining({ message: expect.stringContaining('no known rule'), cause: error }),
    );
  },
);
