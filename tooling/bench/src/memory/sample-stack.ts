import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSecondsOf, type Part, processesBelow, pssOf } from '@postrider/harness/stack-processes';

const everyMs = 200;

/** Memory by part at one moment, in MB. */
export type Sample = Map<Part, number>;

/** The processes of a stack, by the id of the one that started them. */
export interface Sampler {
  /** Begins a phase. Samples are taken until it ends. */
  begin(): { end(): Promise<Sample[]> };
  /** CPU time that all of them have used, in seconds */
  cpuSeconds(): Promise<number>;
  pidsOf(part: Part): Promise<number[]>;
}

export function sampleStack(root: number): Sampler {
  return {
    begin() {
      const samples: Sample[] = [];
      let isOver = false;
      const work = (async () => {
        while (!isOver) {
          const begun = performance.now();
          samples.push(await memoryOf(await processesBelow(root)));
          await sleep(Math.max(0, everyMs - (performance.now() - begun)));
        }
      })();
      return {
        async end() {
          isOver = true;
          await work;
          return samples;
        },
      };
    },
    async cpuSeconds() {
      const seconds = await Promise.all([...(await processesBelow(root)).keys()].map(cpuSecondsOf));
      return seconds.reduce((sum, one) => sum + one, 0);
    },
    async pidsOf(part) {
      return [...(await processesBelow(root))].flatMap(([pid, own]) => (own === part ? [pid] : []));
    },
  };
}

async function memoryOf(processes: ReadonlyMap<number, Part>): Promise<Sample> {
  const sample: Sample = new Map();
  for (const [pid, part] of processes) sample.set(part, (sample.get(part) ?? 0) + (await pssOf(pid)));
  return sample;
}
