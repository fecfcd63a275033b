import {
  ApiError,
  ConnectionError,
  Postrider,
  type PostriderOptions,
  type SendInput,
  TimeoutError,
} from '../../src/index.ts';
import type { FaultCase, Outcome } from './cases.ts';

/** Goes through the cases of the server at the given address with the TypeScript SDK, and prints the outcomes of each. */
const [url = '', program = ''] = process.argv.slice(2);
const cases = (await (await fetch(`${url}/cases`)).json()) as FaultCase[];

const outcomes = await Promise.all(
  cases.map(async ({ operation, calls, atOnce, timeoutMs, maxRetries }, number) => {
    const options: PostriderOptions = {
      apiKey: 'sk_test',
      baseUrl: `${url}/${program}/${number}`,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(maxRetries === undefined ? {} : { maxRetries }),
    };
    const client = new Postrider(options);
    const run = (each: FaultCase['calls'][number]) => outcomeOf(() => perform(client, operation, each));
    if (atOnce) return Promise.all(calls.map(run));
    const done: Outcome[] = [];
    for (const each of calls) done.push(await run(each));
    return done;
  }),
);
console.log(JSON.stringify(outcomes));

async function perform(
  client: Postrider,
  operation: FaultCase['operation'],
  { key, subject = 'Hello', items = 1 }: FaultCase['calls'][number],
): Promise<Outcome> {
  const options = key === undefined ? {} : { idempotencyKey: key };
  const email = { to: 'reader@example.com', from: 'hello@example.com', subject, body: '<p>Hello</p>' };
  if (operation === 'track') {
    const made = await client.track({ email: email.to, event: 'signed_up' }, options);
    return outcome(made.event === null ? [] : [made.event], made.repeated, made.answerLost);
  }
  if (operation === 'send') {
    const { emails, repeated, answerLost } = await client.send(email, options);
    return outcome(
      emails.map((each) => each.email),
      repeated,
      answerLost,
    );
  }
  const inputs = Array.from(
    { length: items },
    (_, index): SendInput => ({ ...email, subject: `${subject} ${index}` }),
  );
  const { results, repeated, answerLost } = await client.sendBatch(inputs, options);
  return outcome(
    results.flatMap(({ emails = [] }) => emails.map((each) => each.email)),
    repeated,
    answerLost,
  );
}

function outcome(ids: string[], repeated: boolean, answerLost: boolean): Outcome {
  return { emails: ids.length, ids, repeated, answerLost };
}

async function outcomeOf(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError) return { error: error.code };
    if (error instanceof TimeoutError) return { error: 'TIMEOUT' };
    if (error instanceof ConnectionError) return { error: 'CONNECTION' };
    throw error;
  }
}
