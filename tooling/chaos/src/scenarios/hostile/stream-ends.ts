import { setTimeout as sleep } from 'node:timers/promises';
import { startPaced } from '@postrider/harness/paced';
import { createProjects } from '@postrider/harness/project.store';
import { createAccount } from '../../harness/accounts.store.ts';
import { ask, bearer } from './ask.ts';
import type { Attack } from './attack.ts';
import { type EventStream, openEventStream } from './event-stream.ts';

const most = 15_000;
const watchMs = 20_000;
const activity = JSON.stringify({ query: 'subscription { activity { metadata } }' });

/** Streams whose key or session ends while there is always something to send. */
export const streamEnds: Attack = {
  name: 'streams of ended keys and sessions',
  bounds: {},
  async run({ chaos }) {
    const { db, stack } = chaos;
    const api = stack.urls.api;
    const projects = await createProjects(db, 2, {
      appSecret: stack.env.APP_SECRET ?? '',
      signed: false,
      from: 9_000,
    });
    const [first, second] = projects;
    if (!first || !second) return { problems: ['there is no project'] };
    const { headers } = await createAccount(db, { email: 'leaves@people.test', proven: true, projects });
    const newKey = async (projectId: string, scope: string): Promise<{ id: string; key: string }> => {
      const path = new URL(`/users/@me/projects/${projectId}/keys`, api);
      const made = await ask(path, 'POST', headers, JSON.stringify({ name: scope, scope }));
      return JSON.parse(made.body) as { id: string; key: string };
    };
    const { id: keyId, key } = await newKey(first.id, 'read');
    // Rotation replaces the pair of a project and leaves its named keys, so events go on.
    const tracking = [first.publicKey, (await newKey(second.id, 'track')).key];
    const graphql = (secret: string): Promise<EventStream> =>
      openEventStream(new URL('/graphql', api), bearer(secret), activity);
    const parameters = encodeURIComponent(JSON.stringify({ projectId: first.id }));
    const opened = {
      'a deleted key': await graphql(key),
      'a rotated key': await graphql(second.secretKey),
      'an ended session': await openEventStream(
        new URL(`/trpc/live.changes?connectionParams=${parameters}`, api),
        headers,
      ),
    };

    const happening = startPaced(10, async (index) => {
      const event = { email: `visitor${index}@people.test`, event: 'visited' };
      const trackKey = tracking[index % tracking.length] ?? '';
      await ask(new URL('/v1/track', api), 'POST', bearer(trackKey), JSON.stringify(event));
    });
    await sleep(2_000);
    const early = Object.entries(opened).filter(([, { isOpen }]) => !isOpen);
    const ended: Record<string, number> = {};
    const end = async (name: string, method: string, path: string, body?: string): Promise<string[]> => {
      const { status, body: text } = await ask(new URL(path, api), method, headers, body);
      ended[name] = performance.now();
      return status >= 300
        ? [`${name}: ${method} ${path} was answered ${status}: ${text.slice(0, 200)}`]
        : [];
    };
    const problems = [
      ...early.map(([name, { status }]) => `the stream of ${name} was not open before: ${status}`),
      ...(await end('a deleted key', 'DELETE', `/users/@me/projects/${first.id}/keys/${keyId}`)),
      ...(await end('a rotated key', 'POST', `/users/@me/projects/${second.id}/regenerate-keys`, '{}')),
      ...(await end('an ended session', 'GET', '/auth/logout')),
    ];
    for (const until = Date.now() + watchMs; Date.now() < until; await sleep(100))
      if (Object.values(opened).every(({ isOpen }) => !isOpen)) break;
    await happening.stop();
    const notes: string[] = [];
    for (const [name, stream] of Object.entries(opened)) {
      const ms = stream.lastAt - (ended[name] ?? 0);
      notes.push(
        `${name}: ${stream.events} events, the last after ${(Math.max(0, ms) / 1_000).toFixed(1)} s`,
      );
      if (stream.isOpen) problems.push(`the stream of ${name} did not end within ${watchMs / 1_000} s`);
      if (ms > most) problems.push(`the stream of ${name} had an event after ${(ms / 1_000).toFixed(1)} s`);
      stream.close();
    }
    return { problems, notes };
  },
};
