import { setTimeout as sleep } from 'node:timers/promises';
import { openHttpConnection } from '@postrider/harness/http-connection';
import { createHttpPool } from '@postrider/harness/http-pool';
import { startPaced } from '@postrider/harness/paced';

/** Requests of one kind. */
export interface Requests {
  origin: string;
  authorization: string | null;
  headers?: Readonly<Record<string, string>>;
  /** the status of every reply */
  status: number;
  /** POSTed if it has a body; null when there is no other */
  next(): { path: string; body?: string } | null;
}

interface Asking {
  get(path: string): Promise<{ status: number; body: string }>;
  post(path: string, body: string): Promise<{ status: number; body: string }>;
}

/** Sends requests as fast as they are answered, until the time is over or there is no other. @returns how many were answered */
export async function driveFast(requests: Requests, connections: number, seconds: number): Promise<number> {
  const { origin, authorization, headers } = requests;
  const lanes = await Promise.all(
    Array.from({ length: connections }, () => openHttpConnection(origin, authorization, headers)),
  );
  const until = performance.now() + seconds * 1_000;
  let answered = 0;
  try {
    await Promise.all(
      lanes.map(async (lane) => {
        while (performance.now() < until && (await ask(requests, lane))) answered += 1;
      }),
    );
  } finally {
    for (const lane of lanes) lane.close();
  }
  return answered;
}

/** Sends requests at an even pace. @returns how many were answered */
export async function driveEvenly(requests: Requests, perSecond: number, seconds: number): Promise<number> {
  const pool = createHttpPool(requests.origin, requests.authorization, requests.headers);
  let answered = 0;
  try {
    const paced = startPaced(perSecond, async () => {
      if (await ask(requests, pool)) answered += 1;
    });
    await sleep(seconds * 1_000);
    await paced.stop();
  } finally {
    pool.close();
  }
  return answered;
}

async function ask({ next, status }: Requests, by: Asking): Promise<boolean> {
  const request = next();
  if (request === null) return false;
  const { path, body } = request;
  const answer = await (body === undefined ? by.get(path) : by.post(path, body));
  if (answer.status !== status)
    throw new Error(`${path.slice(0, 40)} answered ${answer.status}: ${answer.body.slice(0, 300)}`);
  return true;
}
