import { Gauge, register } from 'prom-client';
import type { MemoryLevel } from '../../base/kernel/memory-level.ts';
import { levelOf } from './level-of.ts';
import { readMemoryLeft } from './read-memory.ts';

const pressures = { enough: 0, low: 1, short: 2 } as const satisfies Record<MemoryLevel, number>;

/** Serves `postrider_memory_pressure`, read from the control group where it has a limit, else from the machine. */
export function showMemoryPressure(): void {
  const name = 'postrider_memory_pressure';
  register.removeSingleMetric(name);
  new Gauge({
    name,
    help: 'How short memory is: 0, 1 below 20 % left, 2 below 10 %',
    aggregator: 'max',
    async collect() {
      const left = await readMemoryLeft();
      this.set(left === null ? Number.NaN : pressures[levelOf(left)]);
    },
  });
}
