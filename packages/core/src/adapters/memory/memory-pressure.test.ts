import { register } from 'prom-client';
import { expect, it } from 'vitest';
import { levelOf } from './level-of.ts';
import { showMemoryPressure } from './memory-pressure.ts';

it.each([
  [1, 'enough'],
  [0.201, 'enough'],
  [0.199, 'low'],
  [0.101, 'low'],
  [0.099, 'short'],
  [0, 'short'],
])('with a share of %d left, memory is %s', (left, level) => {
  expect(levelOf(left)).toBe(level);
});

it('is read from the system when the metrics are', async () => {
  showMemoryPressure();
  const metric = await register.getSingleMetric('postrider_memory_pressure')?.get();
  expect([0, 1, 2]).toContain(metric?.values[0]?.value);
});
