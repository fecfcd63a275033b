import { describe, expect, it } from 'vitest';
import { placeAfter } from './move.rules.ts';

/** A version with these steps, to which people were moved unless it is the first. */
const version = (steps: string, removed?: Record<string, string | null>) => ({
  steps: [...steps].map((id) => ({ id, type: 'DELAY' as const, config: {} })),
  move: removed ? { removed, timers: 'KEEP' as const } : null,
});

describe('where an execution is after its moves', () => {
  it('is where it was, if its last version has the step', () => {
    expect(placeAfter('a', [version('ab')])).toEqual({ kind: 'stays' });
    expect(placeAfter('a', [version('ab'), version('ac', { b: 'a' })])).toEqual({ kind: 'stays' });
  });

  it('is where the move says, or over', () => {
    expect(placeAfter('b', [version('ab'), version('ac', { b: 'c' })])).toEqual({
      kind: 'goes',
      stepId: 'c',
    });
    expect(placeAfter('b', [version('ab'), version('ac', { b: null })])).toEqual({ kind: 'exits' });
    expect(placeAfter('b', [version('ab'), version('ac', {})])).toEqual({ kind: 'exits' });
  });

  it('follows a move from the place of the one before', () => {
    const versions = [version('ab'), version('ac', { b: 'c' }), version('ad', { c: 'd' })];
    expect(placeAfter('b', versions)).toEqual({ kind: 'goes', stepId: 'd' });
  });

  it('is at a step that only a later version added: moves before it say nothing about it', () => {
    const versions = [
      version('ab'),
      version('ac', { b: 'c' }),
      version('ace', {}),
      version('ae', { c: 'e' }),
    ];
    expect(placeAfter('e', versions)).toEqual({ kind: 'stays' });
    expect(placeAfter('e', [...versions, version('a', { e: 'a' })])).toEqual({ kind: 'goes', stepId: 'a' });
  });

  it('is at a step that was removed and added again', () => {
    const versions = [version('ab'), version('a', { b: 'a' }), version('ab', {})];
    expect(placeAfter('b', versions)).toEqual({ kind: 'stays' });
    expect(placeAfter('b', [...versions, version('ac', { b: 'c' })])).toEqual({ kind: 'goes', stepId: 'c' });
  });

  it('is over at a step that none of its versions has', () => {
    expect(placeAfter('x', [version('ab'), version('ac', { b: 'c' })])).toEqual({ kind: 'exits' });
    expect(placeAfter('x', [version('ab')])).toEqual({ kind: 'stays' });
  });
});
