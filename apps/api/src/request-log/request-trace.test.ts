import { AppError } from '@postrider/core/base/kernel';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { failureOf } from '../errors/failure.ts';
import { RequestTrace } from './request-trace.ts';

const ids = ['0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90', '0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a91'] as const;
const operation = (name: string) => ({
  name,
  input: z.object({ id: z.guid() }),
  output: z.object({ id: z.guid(), name: z.string() }),
});
const answer = (id: string) => ({ id, name: 'secret' });

describe('a trace', () => {
  it('tells calls of one operation at the same time apart, in whichever order they end', () => {
    const trace = new RequestTrace();
    const [first, second] = ids.map((id) => trace.began(operation('contacts.get'), { id }));
    trace.ended(second ?? null, answer(ids[1]));
    trace.ended(first ?? null, answer(ids[0]));
    expect(trace.details(true)).toMatchObject({
      response: { calls: [{ ids: { id: ids[0] } }, { ids: { id: ids[1] } }] },
    });
  });

  it('is found by the first operation that failed', () => {
    const trace = new RequestTrace();
    trace.ended(trace.began(operation('contacts.get'), { id: ids[0] }), answer(ids[0]));
    trace.began(operation('segments.get'), { id: ids[1] });
    expect(trace.operation).toBe('contacts.get');
    trace.failed(failureOf(new AppError('SEGMENT_NOT_FOUND', 'secret')));
    trace.failed(failureOf(new AppError('CONFLICT', 'secret')));
    expect([trace.operation, trace.failure?.code]).toEqual(['segments.get', 'SEGMENT_NOT_FOUND']);
  });

  it('keeps of an error its code, fields, numbers, ids and reason', () => {
    const trace = new RequestTrace();
    trace.failed(
      failureOf(
        new AppError('VALIDATION_ERROR', 'secret', {
          errors: [{ field: 'data.secret text.0', code: 'too_big', message: 'secret' }],
          details: {
            reason: 'NOT_VERIFIED',
            retryAfter: 3,
            campaignId: ids[0],
            name: 'secret',
            of: ['secret'],
          },
        }),
      ),
    );
    expect(trace.details(false)).toEqual({
      request: null,
      response: {
        code: 'VALIDATION_ERROR',
        statusCode: 422,
        details: {
          reason: 'NOT_VERIFIED',
          retryAfter: 3,
          campaignId: ids[0],
          name: { length: 6 },
          of: { type: 'object' },
        },
        errors: [{ field: 'data.(…).0', code: 'too_big' }],
      },
      emailIds: [],
    });
  });

  it('keeps no more of many calls than of one', () => {
    const trace = new RequestTrace();
    const wide = {
      input: z.object({ ids: z.array(z.guid()) }),
      output: z.object({ ids: z.array(z.guid()) }),
    };
    for (let n = 0; n < 50; n += 1) {
      const many = { ids: Array.from({ length: 1_000 }, () => ids[0]) };
      trace.ended(trace.began({ name: `contacts.${n}`, ...wide }, many), many);
    }
    const { request, response } = trace.details(true);
    for (const kept of [request, response]) expect(JSON.stringify(kept).length).toBeLessThanOrEqual(4_096);
    expect(JSON.stringify(request)).toContain('contacts.9');
  });
});
