import { expect, it } from 'vitest';
import { Together } from './together.ts';

const breathe = async (): Promise<void> => undefined;

it('questions of pieces are answered together, each piece by its own answer', async () => {
  const together = new Together();
  const asked: number[][] = [];
  const double = async (inputs: readonly number[]) => {
    asked.push([...inputs]);
    return inputs.map((each) => 2 * each);
  };
  const pieces = [1, 2, 3].map((n) => async () => {
    const first = await together.ask(double, n);
    // One of them has nothing more to ask.
    return n === 2 ? first : together.ask(double, first);
  });
  const results = await together.run(pieces, breathe);
  expect(results).toEqual([4, 4, 12].map((value) => ({ status: 'fulfilled', value })));
  expect(asked).toEqual([
    [1, 2, 3],
    [2, 6],
  ]);
});

it('a piece that fails, or asks nothing, keeps no other waiting; a question that fails is told to whoever asked it', async () => {
  const together = new Together();
  const same = async (inputs: readonly string[]) => inputs;
  const refuse = async (): Promise<string[]> => {
    throw new Error('refused');
  };
  const results = await together.run(
    [
      () => together.ask(same, 'a'),
      () => together.ask(refuse, 'b'),
      () => together.ask(refuse, 'c'),
      async () => {
        throw new Error('at once');
      },
      async () => 'alone',
    ],
    breathe,
  );
  expect(results.map((each) => (each.status === 'fulfilled' ? each.value : each.reason.message))).toEqual([
    'a',
    'refused',
    'refused',
    'at once',
    'alone',
  ]);
});

it('of questions that fail together, the one is found that fails alone', async () => {
  const together = new Together();
  const positive = async (inputs: readonly number[]) => {
    if (inputs.some((each) => each < 0)) throw new Error('negative');
    return inputs;
  };
  const results = await together.run(
    [1, -2, 3, 4, 5].map((n) => () => together.ask(positive, n)),
    breathe,
  );
  expect(results.map((each) => (each.status === 'fulfilled' ? each.value : each.reason.message))).toEqual([
    1,
    'negative',
    3,
    4,
    5,
  ]);
});
