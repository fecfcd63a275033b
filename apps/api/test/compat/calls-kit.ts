import { expect, it } from 'vitest';

/** A call of an official client, and what its service documents as the outcome: `{ok}` or `{refused}`. */
export type Call = readonly [label: string, call: () => Promise<unknown>, outcome: object];

export const ok = (value: unknown) => ({ ok: value });
export const refused = (value: object) => ({ refused: expect.objectContaining(value) });
export const text = (pattern: RegExp) => expect.stringMatching(pattern);

async function outcomeOf(call: () => Promise<unknown>): Promise<object> {
  try {
    return { ok: await call() };
  } catch (error) {
    return { refused: error };
  }
}

/**
 * Makes the calls in their order. A label has its half: those of the half `a` were used while the doors were built, those of `b` were written at the
 * same time and first made at the end.
 */
export function makeCalls(calls: readonly Call[]): void {
  for (const [index, [label, call, outcome]] of calls.entries())
    it(`${index % 2 === 0 ? 'a' : 'b'}: ${label}`, async () => {
      expect(await outcomeOf(call)).toMatchObject(outcome);
    });
}
