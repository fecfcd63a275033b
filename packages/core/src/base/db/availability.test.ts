import { describe, expect, it } from 'vitest';
import { databaseIsAway, databaseIsUnreachable } from './availability.ts';

const withCode = (code: string): Error => Object.assign(new Error('it failed'), { code });

describe('databaseIsAway', () => {
  it.each([
    ['terminated by a shutdown', withCode('57P01')],
    ['still starting up', withCode('57P03')],
    ['too many connections', withCode('53300')],
    ['connection failure', withCode('08006')],
    ['read-only after a failover', withCode('25006')],
    ['ended since its transaction waited too long', withCode('25P03')],
    ['deadlock', withCode('40P01')],
    ['internal error', withCode('XX000')],
    ['connection refused', withCode('ECONNREFUSED')],
    ['host unreachable', withCode('EHOSTUNREACH')],
    ['network unreachable', withCode('ENETUNREACH')],
    ['connection aborted', withCode('ECONNABORTED')],
    ['Prisma: not reachable', withCode('P1001')],
    ['Prisma: connection closed', withCode('P1017')],
    ['Prisma: pool timeout', withCode('P2024')],
    ['pg: terminated', new Error('Connection terminated unexpectedly')],
    ['pg: connect timeout', new Error('timeout exceeded when trying to connect')],
    ['pg: connect timeout of a client', new Error('timeout expired')],
    ['pg: no answer in time', new Error('Query read timeout')],
    ['pg: broken client', new Error('Client has encountered a connection error and is not queryable')],
    ['an adapter error with the SQLSTATE in its cause', new Error('x', { cause: { originalCode: '57P03' } })],
    ['an adapter error without SQLSTATE', new Error('x', { cause: { kind: 'DatabaseNotReachable' } })],
    [
      'a raw statement of Prisma',
      Object.assign(withCode('P2010'), {
        meta: { driverAdapterError: { cause: { originalCode: '57P01' } } },
      }),
    ],
  ])('%s: the same statement may succeed later', (_what, error) => {
    expect(databaseIsAway(error)).toBe(true);
  });

  it.each([
    ['a value that does not fit', withCode('22P02')],
    ['a constraint', withCode('23505')],
    ['a name that does not exist', withCode('42P01')],
    ['a refusal of our own', withCode('PR001')],
    ['Prisma: record not found', withCode('P2025')],
    ['a mistake in the program', new TypeError('x is not a function')],
    ['an error of Node', withCode('ERR_INVALID_ARG_TYPE')],
    ['a pool that was closed', new Error('Cannot use a pool after calling end on the pool')],
    ['no error at all', 'Connection terminated'],
  ])('%s: repeating would not help', (_what, error) => {
    expect(databaseIsAway(error)).toBe(false);
  });
});

describe('databaseIsUnreachable', () => {
  it.each([
    ['terminated by a shutdown', withCode('57P01')],
    ['still starting up', withCode('57P03')],
    ['connection failure', withCode('08006')],
    ['too many connections', withCode('53300')],
    ['read-only after a failover', withCode('25006')],
    ['ended since its transaction waited too long', withCode('25P03')],
    ['connection refused', withCode('ECONNREFUSED')],
    ['connection broken by the server', withCode('EPIPE')],
    ['connection reset', withCode('ECONNRESET')],
    ['name without an address', withCode('ENOTFOUND')],
    ['Prisma: not reachable', withCode('P1001')],
    ['Prisma: connection closed', withCode('P1017')],
    [
      'Prisma: a transaction that found no free connection',
      Object.assign(new Error('Transaction API error: Unable to start a transaction in the given time.'), {
        code: 'P2028',
      }),
    ],
    ['pg: terminated', new Error('Connection terminated unexpectedly')],
    ['pg: connect timeout', new Error('timeout exceeded when trying to connect')],
    ['pg: connect timeout of a client', new Error('timeout expired')],
    ['an adapter error without SQLSTATE', new Error('x', { cause: { kind: 'DatabaseNotReachable' } })],
  ])('%s: any request would have failed', (_what, error) => {
    expect(databaseIsUnreachable(error)).toBe(true);
  });

  it.each([
    ['stopped after its time', withCode('57014')],
    ['a deadlock', withCode('40P01')],
    ['an internal error', withCode('XX000')],
    ['a full disk', withCode('53100')],
    ['a constraint', withCode('23505')],
    ['a file that is missing', withCode('ENOENT')],
    ['too many open files', withCode('EMFILE')],
    ['Prisma: a transaction that was lost', withCode('P2028')],
    ['a mistake in the program', new TypeError('x is not a function')],
    ['no error at all', 'Connection terminated'],
  ])('%s: another request may succeed', (_what, error) => {
    expect(databaseIsUnreachable(error)).toBe(false);
  });
});
