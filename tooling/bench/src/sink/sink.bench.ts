import { startAnswering } from '@postrider/harness/answering-process';
import { startSinkProcess } from '@postrider/local/sink-process';
import type { Bench } from '../harness/bench.ts';
import type { SinkLoad } from './sink-load.ts';

const connections = 64;
const size = 4_000;
const messages = 100_000;

export const sinkBench: Bench = {
  name: 'sink',
  summary: 'the mail server of the measurements alone: it must be faster than what it measures',
  async run({ rounds, log }) {
    const load = await startAnswering(new URL('./sink-load.ts', import.meta.url), {});
    const rates: number[] = [];
    try {
      for (let round = 1; round <= rounds; round += 1) {
        const sink = await startSinkProcess();
        const seconds = await load.ask<number>({
          port: sink.port,
          messages,
          connections,
          size,
        } satisfies SinkLoad);
        await sink.stop();
        rates.push(messages / seconds);
        log(`round ${round}: ${(messages / seconds).toFixed(0)} messages/s`);
      }
    } finally {
      await load.stop();
    }
    return {
      series: [{ label: 'mail server alone', unit: 'messages/s', rounds: rates, goal: { atLeast: 25_000 } }],
      notes: [
        `${connections} connections, pipelined, ${size} bytes each; the load is one process on the same cores.`,
      ],
    };
  },
};
