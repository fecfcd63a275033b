import { setTimeout as sleep } from 'node:timers/promises';
import { callApi } from '@postrider/harness/call-api';
import { startPaced } from '@postrider/harness/paced';
import { createProjects, type TestProject } from '@postrider/harness/project.store';
import { percentile } from '@postrider/harness/statistics';
import { createAccount } from '../../harness/accounts.store.ts';
import { ask, bearer } from './ask.ts';
import type { Attack } from './attack.ts';
import { type EventStream, openEventStream } from './event-stream.ts';

const perProject = 20;
const mostOwn = 2;
const selectionCost = 500;

/** Many streams at the highest cost, each of which has something to send ten times a second. */
export const streams: Attack = {
  name: 'streams at the highest cost',
  bounds: { healthMs: 50, send: 2, importMs: 1_000 },
  async run({ chaos }, size) {
    const api = chaos.stack.urls.api;
    const isSmall = size(60) < 60;
    const key = { appSecret: chaos.stack.env.APP_SECRET ?? '', signed: false, from: 8_000 };
    const projects = await createProjects(chaos.db, isSmall ? 1 : 3, key);
    await createAccount(chaos.db, { email: 'streams@people.test', proven: true, projects });
    const campaigns = await Promise.all(projects.map((project) => draft(api, project)));
    const failed: string[] = [];
    const late: string[] = [];
    const change = async (seconds: number): Promise<number[]> => {
      const took: number[] = [];
      const paced = startPaced(10, async (index) => {
        const of = index % projects.length;
        const [project, id] = [projects[of], campaigns[of]];
        const { ms, status } = await ask(
          new URL(`/campaigns/${id}`, api),
          'PUT',
          bearer(project?.secretKey ?? ''),
          JSON.stringify(campaignOf(project?.from ?? '', `Changed ${index}`)),
        );
        took.push(ms);
        // A change that waits too long for the one before it is answered 500: how long is judged where nothing else runs.
        if (status !== 200)
          (status === 500 ? late : failed).push(`a change of a campaign was answered ${status}`);
      });
      await sleep(seconds * 1_000);
      await paced.stop();
      return took;
    };
    const seconds = isSmall ? 2 : 15;
    const idle = percentile(await change(seconds), 95);
    const query = await dearest(api, projects[0], campaigns[0]);
    const open = (of: number): Promise<EventStream> =>
      openEventStream(
        new URL('/graphql', api),
        bearer(projects[of]?.secretKey ?? ''),
        JSON.stringify({ query, variables: { id: campaigns[of] } }),
      );
    const opened: EventStream[] = [];
    for (let index = 0; index < perProject * projects.length; index += 1)
      opened.push(await open(Math.floor(index / perProject)));
    const refused = await Promise.all(projects.map((_, of) => open(of)));
    const felt = percentile(await change(seconds), 95);
    const events = opened.reduce((sum, stream) => sum + stream.events, 0);
    for (const stream of opened) stream.close();
    const silent = opened.filter((stream) => stream.events < 2).length;
    return {
      problems: [
        ...new Set(failed),
        ...opened
          .filter(({ status }) => status !== 200)
          .map(({ status }) => `one of the first ${perProject} streams of a project was answered ${status}`),
        ...refused
          .filter(({ status }) => status !== 429)
          .map(({ status }) => `stream ${perProject + 1} of a project was answered ${status}, not 429`),
        ...(silent > 0 ? [`${silent} streams showed no change`] : []),
      ],
      figures: [
        ...new Set(late),
        ...(felt > mostOwn * idle
          ? [
              `p95 of the attacker's own requests took ${felt.toFixed(0)} ms, ${idle.toFixed(0)} without streams`,
            ]
          : []),
      ],
      notes: [
        `${opened.length} streams, ${events} events; own requests p95 ${idle.toFixed(1)} ms without streams, ${felt.toFixed(1)} ms with them`,
      ],
    };
  },
};

const campaignOf = (from: string, name: string) => ({
  name,
  subject: 'News',
  body: '<p>News</p>',
  from,
  audienceType: 'ALL',
});

async function draft(api: string, { secretKey, from }: TestProject): Promise<string> {
  const made = await callApi<{ id?: string; data?: { id: string } }>(
    api,
    secretKey,
    '/campaigns',
    campaignOf(from, 'Draft'),
  );
  return made.id ?? made.data?.id ?? '';
}

/** The selection whose price comes closest to what a subscription may cost. */
async function dearest(api: string, project?: TestProject, id?: string): Promise<string> {
  const selection = (first: number): string =>
    `subscription ($id: ID!) { campaignProgress(id: $id) { id name recipients(first: ${first}) { edges { node { email status contact { email } } } } } }`;
  for (let first = 100; first > 0; first -= 1) {
    const stream = await openEventStream(
      new URL('/graphql', api),
      bearer(project?.secretKey ?? ''),
      JSON.stringify({ query: selection(first), variables: { id } }),
    );
    stream.close();
    if (stream.status === 200) return selection(first);
  }
  throw new Error(`There is no selection of a cost up to ${selectionCost}.`);
}
