import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../adapters/log/create-log.ts';
import { AppError } from './errors.ts';
import { traceOfBytes } from './trace-context.rules.ts';
import {
  currentSpan,
  currentTrace,
  type EndedSpan,
  requestSpan,
  rootSpan,
  setTracer,
  sharedSpan,
  span,
  statementSpan,
} from './traces.ts';

const ended: EndedSpan[] = [];
let samples: boolean;
let room: number;

beforeEach(() => {
  ended.length = 0;
  samples = true;
  room = 5;
  setTracer({
    samples: (_id, parent) => parent ?? samples,
    take: (each) => void ended.push(each),
    admitsUnsampled() {
      room -= 1;
      return room >= 0;
    },
  });
});
afterEach(() => setTracer(null));

const nothing = async (): Promise<void> => undefined;
const named = (name: string): EndedSpan | undefined => ended.find((each) => each.name === name);
const caller = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const traceId = caller.slice(3, 35);

it('without a tracer the work is done, and there is no span', async () => {
  setTracer(null);
  const given = [
    await rootSpan('a', {}, {}, async (each) => each),
    await span('b', {}, async (each) => each),
    await sharedSpan('c', {}, [], async (each) => each),
    requestSpan('d', caller),
    currentTrace(),
  ];
  expect(given).toEqual([null, null, null, null, null]);
});

it('spans are parts of the one that they begin in, also after waiting', async () => {
  await rootSpan('root', {}, {}, async () => {
    await new Promise(setImmediate);
    await span('child', {}, () => statementSpan('read', nothing));
  });
  const [sql, child, root] = ended;
  expect(ended.map(({ name }) => name)).toEqual(['sql read', 'child', 'root']);
  expect(sql?.parent).toMatchObject({ spanId: child?.context.spanId });
  expect(child?.parent).toMatchObject({ spanId: root?.context.spanId });
  expect(root?.parent).toBeNull();
  expect(new Set(ended.map(({ context }) => context.traceId)).size).toBe(1);
});

it('what outlives a span is not a part of it', async () => {
  let later: Promise<unknown> = Promise.resolve();
  await rootSpan('root', {}, {}, async () => {
    later = new Promise((resolve) => setTimeout(resolve, 5)).then(() => span('late', {}, nothing));
  });
  await later;
  expect(ended.map(({ name }) => name)).toEqual(['root']);
});

describe('of a trace that is not sampled', () => {
  beforeEach(() => {
    samples = false;
  });

  it('nothing is exported, and rows keep nothing', async () => {
    await rootSpan('root', {}, {}, async () => expect(currentTrace()).toBeNull());
    expect(ended).toEqual([]);
  });

  it('what fails is exported while there is room, without its message', async () => {
    for (let count = 0; count < 9; count += 1)
      await rootSpan('root', {}, {}, () => Promise.reject(new TypeError('a@b.example'))).catch(() => null);
    expect(ended).toHaveLength(5);
    expect(ended[0]).toMatchObject({
      hasFailed: true,
      context: { isSampled: true },
      attributes: { 'error.type': 'TypeError', 'postrider.kept': 'error' },
    });
    expect(JSON.stringify(ended)).not.toContain('a@b.example');
  });

  it('a refusal is no failure', async () => {
    const refuse = (): Promise<never> => Promise.reject(new AppError('BAD_REQUEST', 'no'));
    await rootSpan('root', {}, {}, refuse).catch(() => null);
    expect(ended).toEqual([]);
  });

  it('what lasts longer than a second is exported, unless it is long by its nature', async () => {
    const second = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 1_050));
    await Promise.all([
      rootSpan('slow', {}, {}, second),
      rootSpan('stream', {}, {}, (each) => {
        each?.patient();
        return second();
      }),
    ]);
    expect(ended.map(({ name }) => name)).toEqual(['slow']);
    expect(ended[0]?.attributes['postrider.kept']).toBe('slow');
  });
});

describe('the trace that a caller names', () => {
  it('is followed from the beginning once the caller is known', async () => {
    const door = requestSpan('door', caller);
    await door?.run(() => span('before', {}, nothing));
    expect(ended).toEqual([]);
    door?.follow();
    expect(ended.map(({ name }) => name)).toEqual(['before']);
    door?.end();
    expect(ended.map(({ context }) => context.traceId)).toEqual([traceId, traceId]);
    expect(named('door')).toMatchObject({ parent: { spanId: caller.slice(36, 52) }, isRemote: true });
  });

  it('is not followed otherwise', async () => {
    const door = requestSpan('door', caller);
    await door?.run(() => span('before', {}, nothing));
    door?.end();
    door?.follow();
    expect(ended.map(({ name }) => name)).toEqual(['before', 'door']);
    for (const { context } of ended) expect(context.traceId).not.toBe(traceId);
    expect(named('door')?.parent).toBeNull();
  });

  it('is not followed by what leaves the process before the caller is known', () => {
    const door = requestSpan('door', caller);
    const bytes = door?.run(() => currentTrace());
    expect(traceOfBytes(bytes ?? null)?.traceId).not.toBe(traceId);
    door?.follow();
    expect(door?.traceId).not.toBe(traceId);
  });
});

describe('work that several share', () => {
  const contextOf = (digit: string, isSampled: boolean) => ({
    traceId: digit.repeat(32),
    spanId: digit.repeat(16),
    isSampled,
  });

  it('is a part of the first sampled trace, and linked to the other sampled ones', async () => {
    const sharers = [
      contextOf('1', false),
      contextOf('2', true),
      contextOf('3', false),
      contextOf('4', true),
    ];
    await sharedSpan('shared', {}, sharers, nothing);
    expect(ended).toEqual([
      expect.objectContaining({
        context: expect.objectContaining({ traceId: '2'.repeat(32) }),
        parent: sharers[1],
        links: [sharers[3]],
      }),
    ]);
  });

  it('waits for callers who are not known yet', async () => {
    const doors = [requestSpan('one', caller), requestSpan('two', caller)];
    await sharedSpan(
      'shared',
      {},
      doors.flatMap((door) => door ?? []),
      nothing,
    );
    doors[0]?.follow();
    expect(ended).toEqual([]);
    doors[1]?.follow();
    expect(named('shared')).toMatchObject({ context: { traceId }, links: [{ traceId }] });
  });

  it('of none is exported only if it fails', async () => {
    await sharedSpan('idle', {}, [], nothing);
    await sharedSpan('broken', {}, [], () => Promise.reject(new Error('no'))).catch(() => null);
    expect(ended.map(({ name }) => name)).toEqual(['broken']);
  });

  it('has no statements of its own inside that of a group', async () => {
    await rootSpan('root', {}, {}, async (root) => {
      const sharers = root ? [root] : [];
      await sharedSpan('sql group', {}, sharers, () => statementSpan('inner', nothing));
    });
    expect(ended.map(({ name }) => name)).toEqual(['sql group', 'root']);
  });
});

it('lines of the log have the trace that they belong to', async () => {
  const lines: string[] = [];
  const log = createLog({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  await rootSpan('root', {}, {}, async () => log.info('inside'));
  log.info('outside');
  expect(lines.map((line) => JSON.parse(line).traceId)).toEqual([named('root')?.context.traceId, undefined]);
  expect(currentSpan()).toBeNull();
});
