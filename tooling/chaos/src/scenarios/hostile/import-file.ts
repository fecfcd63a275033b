import { setTimeout as sleep } from 'node:timers/promises';
import { ask, bearer } from './ask.ts';

const patienceMs = 180_000;
const lookEveryMs = 10;

export interface Imported {
  /** null if the file was refused */
  state: string | null;
  status: number;
  body: string;
  /** from the request until the job had ended */
  ms: number;
}

/** Uploads a CSV file and waits for the end of the import. */
export async function importFile(api: string, secretKey: string, text: string): Promise<Imported> {
  const begun = performance.now();
  const form = new FormData();
  form.append('file', new Blob([text], { type: 'text/csv' }), 'contacts.csv');
  const { status, body } = await ask(new URL('/contacts/import', api), 'POST', bearer(secretKey), form);
  const since = (): number => performance.now() - begun;
  if (status !== 202) return { state: null, status, body, ms: since() };
  const { jobId } = JSON.parse(body) as { jobId: string };
  const job = new URL(`/contacts/import/${jobId}`, api);
  for (;;) {
    const answer = await ask(job, 'GET', bearer(secretKey));
    const { state = '' } = (answer.status === 200 ? JSON.parse(answer.body) : {}) as { state?: string };
    if (state === 'completed' || state === 'failed') return { state, status, body, ms: since() };
    if (since() > patienceMs) return { state: 'still running', status, body, ms: since() };
    await sleep(lookEveryMs);
  }
}
