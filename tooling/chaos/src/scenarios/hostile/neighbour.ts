import { setTimeout as sleep } from 'node:timers/promises';
import { startAnswering } from '@postrider/harness/answering-process';
import type { ChaosStack } from '@postrider/harness/chaos-stack';
import type { TestProject } from '@postrider/harness/project.store';
import { median, percentile } from '@postrider/harness/statistics';
import type { Bounds } from './attack.ts';
import type { Felt, NeighbourOrder } from './neighbour-main.ts';

const arrivalMs = 60_000;

/** What the neighbour felt for some time, in milliseconds. */
export interface Experience {
  healthP95: number;
  sendP95: number;
  /** from the answer of `/v1/send` to the mail server */
  mailP95: number;
  importMedian: number;
  sent: number;
  failures: string[];
}

/** @returns what work returns, and what the neighbour felt meanwhile */
export async function feel<Value>(
  { stack, sink }: ChaosStack,
  { secretKey, from }: TestProject,
  work: () => Promise<Value>,
): Promise<{ value: Value; felt: Experience }> {
  const process = await startAnswering(new URL('./neighbour-main.ts', import.meta.url));
  try {
    await process.ask({ begin: { api: stack.urls.api, secretKey, from } } satisfies NeighbourOrder);
    const value = await work();
    const felt = await process.ask<Felt>('end' satisfies NeighbourOrder);
    const { ways, missing } = await arrivals(sink, felt.answeredAt);
    return {
      value,
      felt: {
        healthP95: percentile(felt.healthMs, 95),
        sendP95: percentile(felt.sendMs, 95),
        mailP95: percentile(ways, 95),
        importMedian: median(felt.importMs),
        sent: felt.sendMs.length,
        failures: [...felt.failures, ...(missing > 0 ? [`${missing} accepted emails have not arrived`] : [])],
      },
    };
  } finally {
    await process.stop();
  }
}

/** The time from the answer to the arrival at the mail server, for each email that has arrived. */
async function arrivals(sink: ChaosStack['sink'], answeredAt: ReadonlyMap<string, number>) {
  const deadline = Date.now() + arrivalMs;
  for (;;) {
    const messages = await sink.find([...answeredAt.keys()]);
    const missing = answeredAt.size - messages.length;
    if (missing <= 0 || Date.now() > deadline)
      return { ways: messages.map(({ emailId, at }) => at - (answeredAt.get(emailId) ?? 0)), missing };
    await sleep(100);
  }
}

const round = (ms: number): string => ms.toFixed(ms < 10 ? 1 : 0);

export const describeFelt = ({ healthP95, sendP95, mailP95, importMedian, sent }: Experience): string =>
  `health p95 ${round(healthP95)} ms; /v1/send p95 ${round(sendP95)} ms, to the sink p95 ${round(mailP95)} ms; import of one row ${round(importMedian)} ms (${sent} emails)`;

/** Each figure of the slower of two. */
export const slowerOf = (one: Experience, other: Experience): Experience => ({
  ...one,
  healthP95: Math.max(one.healthP95, other.healthP95),
  sendP95: Math.max(one.sendP95, other.sendP95),
  mailP95: Math.max(one.mailP95, other.mailP95),
  importMedian: Math.max(one.importMedian, other.importMedian),
});

/** One sentence for each bound that was exceeded. @param usual what the machine does without attack */
export function exceeded(bounds: Bounds, usual: Experience, felt: Experience): string[] {
  const over = (what: string, ms: number, most: number | undefined): string[] =>
    most !== undefined && ms > most
      ? [`${what} took ${round(ms)} ms, at most ${round(most)} are allowed`]
      : [];
  const times = (factor: number | undefined, ms: number) => (factor === undefined ? undefined : factor * ms);
  return [
    ...over('p95 of health', felt.healthP95, bounds.healthMs),
    ...over('an import of one row', felt.importMedian, bounds.importMs),
    ...over('an import of one row', felt.importMedian, times(bounds.import, usual.importMedian)),
    ...over('p95 of /v1/send', felt.sendP95, times(bounds.send, usual.sendP95)),
    ...over('p95 from /v1/send to the mail server', felt.mailP95, times(bounds.mail, usual.mailP95)),
  ];
}
