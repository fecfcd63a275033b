import { setTimeout as sleep } from 'node:timers/promises';

export interface Answer {
  /** 0 if no answer came in time */
  status: number;
  body: string;
  ms: number;
}

const patienceMs = 60_000;

/** A request of an attacker: it may be refused, but it is answered. */
export async function ask(
  url: URL | string,
  method: string,
  headers: Record<string, string>,
  body?: string | FormData,
): Promise<Answer> {
  const begun = performance.now();
  const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
  try {
    const response = await fetch(url, {
      method,
      headers: { ...type, ...headers },
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(patienceMs),
    });
    const text = await response.text();
    return { status: response.status, body: text, ms: performance.now() - begun };
  } catch (error) {
    return { status: 0, body: String(error), ms: performance.now() - begun };
  }
}

export const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

/** One sentence for each answer that did not come, or that says the product failed. */
export const unanswered = (what: string, answers: readonly Answer[]): string[] =>
  answers
    .filter(({ status }) => status === 0 || status >= 500)
    .map(({ status, body }) => `${what} was answered ${status}: ${body.slice(0, 200)}`);

/** Long enough for a 95th percentile of what others feel of a hundred messages. */
const perSecond = 10;

/** Runs work a number of times, ten times a second, however long each takes. */
export const atPace = <Value>(times: number, work: (index: number) => Promise<Value>): Promise<Value[]> =>
  Promise.all(
    Array.from({ length: times }, async (_, index) => {
      await sleep((index * 1_000) / perSecond);
      return work(index);
    }),
  );

/** Runs work a number of times, `lanes` of them at the same time. */
export async function inLanes<Value>(
  times: number,
  lanes: number,
  work: (index: number) => Promise<Value>,
): Promise<Value[]> {
  const results: Value[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let index = next++; index < times; index = next++) results.push(await work(index));
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}
