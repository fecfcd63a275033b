import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

it('an owner has one turn at a time, in the order of asking, and waits for no other owner', async () => {
  const turns = new Turns();
  const order: string[] = [];
  const take = async (owner: string, name: string) => {
    const end = await turns.take(owner);
    order.push(name);
    return end;
  };
  const endFirst = await take('one', 'first');
  const second = take('one', 'second');
  const third = take('one', 'third');
  const endOther = await take('other', 'of another');
  expect(order).toEqual(['first', 'of another']);

  endFirst();
  const endSecond = await second;
  expect(order).toEqual(['first', 'of another', 'second']);
  endSecond();
  (await third)();
  endOther();
  (await take('one', 'later'))();
  expect(order.slice(3)).toEqual(['third', 'later']);
});
