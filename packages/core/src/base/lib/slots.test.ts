import { expect, it } from 'vitest';
import { Slots } from './slots.ts';

/** Tasks that last until `finish` is called. */
function started(slots: Slots, count: number) {
  const begun: number[] = [];
  const tasks = Array.from({ length: count }, (_, number) => {
    const end = Promise.withResolvers<void>();
    const begin = Promise.withResolvers<void>();
    const done = slots.run(async () => {
      begun.push(number);
      begin.resolve();
      await end.promise;
    });
    return { done, begun: begin.promise, finish: end.resolve };
  });
  const finishAll = async (): Promise<void> => {
    for (const { finish } of tasks) finish();
    await Promise.all(tasks.map(({ done }) => done));
  };
  return { begun, tasks, finishAll };
}

it('runs no more tasks at the same time than it has places, in the order in which they came', async () => {
  const { begun, tasks, finishAll } = started(new Slots({ places: 2 }), 4);
  expect(begun).toEqual([0, 1]);
  tasks[1]?.finish();
  await tasks[2]?.begun;
  expect(begun).toEqual([0, 1, 2]);
  await finishAll();
  expect(begun).toEqual([0, 1, 2, 3]);
});

it('continues after a task that fails', async () => {
  const slots = new Slots({ places: 1 });
  const fail = () => slots.run(() => Promise.reject(new Error('out of memory')));
  await Promise.allSettled([fail(), fail(), fail()]);
  await expect(slots.run(async () => 'done')).resolves.toBe('done');
});

it('refuses what finds too many waiting, and accepts again when they have run', async () => {
  const slots = new Slots({ places: 1, waiting: 2, full: () => new Error('full') });
  const { finishAll } = started(slots, 3);
  await expect(slots.run(async () => 'late')).rejects.toThrow('full');
  await finishAll();
  await expect(slots.run(async () => 'now')).resolves.toBe('now');
});
