import { register } from 'prom-client';
import { expect, it } from 'vitest';
import { pressureOf, showMemoryPressure } from './memory-pressure.ts';

it.each([
  [1_000, 0],
  [201, 0],
  [199, 1],
  [101, 1],
  [99, 2],
  [0, 2],
])('of 1,000 bytes with %i left the pressure is %i', (available, pressure) => {
  expect(pressureOf({ total: 1_000, available })).toBe(pressure);
});

it('is read from the system when the metrics are', async () => {
  showMemoryPressure();
  const metric = await register.getSingleMetric('postrider_memory_pressure')?.get();
  expect([0, 1, 2]).toContain(metric?.values[0]?.value);
});
