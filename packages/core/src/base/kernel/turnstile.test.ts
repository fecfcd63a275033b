import { expect, it } from 'vitest';
import type { Owners } from './ports/owners.ts';
import { Turnstile } from './turnstile.ts';

/** Projects are named by their owner and a number. */
const byOwner: Owners = {
  turnOf: (projectId) => ({ owner: projectId.charAt(0), isProven: true }),
  known: () => null,
};

function open(places: number, ofTurn: number) {
  const turnstile = new Turnstile(byOwner, { what: 'job', places, ofTurn });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const take = async (projectId: string): Promise<void> => {
    const end = await turnstile.take(projectId);
    begun.push(projectId);
    ends.set(projectId, end);
  };
  const end = async (projectId: string): Promise<void> => {
    ends.get(projectId)?.();
    await settled();
  };
  return { turnstile, begun, take, end };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('an owner has one piece at a time, in the order of its projects, and waits for no other owner', async () => {
  const { begun, take, end } = open(Number.POSITIVE_INFINITY, 1);
  for (const projectId of ['a1', 'a2', 'a3', 'b1']) void take(projectId);
  await settled();
  expect(begun).toEqual(['a1', 'b1']);
  await end('a1');
  expect(begun).toEqual(['a1', 'b1', 'a2']);
});

it('owners take turns, and one of them leaves a place to others', async () => {
  const { begun, take, end } = open(3, 2);
  for (const projectId of ['a1', 'a2', 'a3', 'a4']) void take(projectId);
  await settled();
  expect(begun).toEqual(['a1', 'a2']);
  for (const projectId of ['b1', 'b2', 'c1']) void take(projectId);
  await settled();
  await end('a1');
  await end('b1');
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'b2']);
  await end('a2');
  expect(begun.at(-1)).toBe('c1');
});

it('a piece that fails ends its turn', async () => {
  const { turnstile } = open(1, 1);
  await expect(turnstile.run('a1', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await turnstile.run('a2', () => Promise.resolve('yes'))).toBe('yes');
});
