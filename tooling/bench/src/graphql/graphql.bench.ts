import { sendCampaignNow, untilCampaignSent } from '@postrider/harness/campaign';
import { type HttpConnection, openHttpConnection } from '@postrider/harness/http-connection';
import { createProject, insertContacts, type TestProject } from '@postrider/harness/project.store';
import { percentile } from '@postrider/harness/statistics';
import type { Bench, BenchOptions, BenchResult, Series } from '../harness/bench.ts';
import { type BenchStack, startBenchStack } from '../harness/bench-stack.ts';
import { insertRelations } from './graphql.store.ts';

const contacts = 2_000;
const shown = 100;
const samples = 20;
/** A REST client asks for this many contacts at a time. */
const restConnections = 8;
const stallMs = 60_000;

const document = `{ contacts(first: ${shown}) { edges { node {
  id email
  segments(first: 5) { name }
  emails(first: 3) { edges { node { id subject status } } }
  events(first: 3) { edges { node { id name createdAt } } }
  executions(first: 3) { edges { node { id status workflow { name } } } }
} } } }`;

export const graphqlBench: Bench = {
  name: 'graphql',
  summary:
    '100 contacts with segments, last emails, events and executions by one GraphQL query, and the same data by REST',
  async run(options) {
    const stack = await startBenchStack(options);
    try {
      return await measure(stack, options);
    } finally {
      await stack.stop();
    }
  },
};

async function measure(stack: BenchStack, { rounds, log }: BenchOptions): Promise<BenchResult> {
  const appSecret = stack.stack.env.APP_SECRET ?? '';
  const project = await createProject(stack.db, { appSecret, signed: false });
  await insertContacts(stack.db, project.id, contacts);
  await untilCampaignSent(stack.db, await sendCampaignNow(stack.stack.urls.api, project), { stallMs });
  const { segmentId, workflowId } = await insertRelations(stack.db, project.id);
  const ways: Record<string, () => Promise<void>> = {
    GraphQL: await byGraphql(stack, project),
    REST: await byRest(stack, project, [
      `/segments/${segmentId}/contacts?pageSize=${shown}`,
      `/workflows/${workflowId}/executions?pageSize=${shown}`,
    ]),
  };
  const found: Record<string, number[][]> = { GraphQL: [], REST: [] };
  for (let round = 1; round <= rounds; round += 1) {
    for (const [name, run] of Object.entries(ways)) {
      await run();
      const times: number[] = [];
      for (let sample = 0; sample < samples; sample += 1) {
        const begun = performance.now();
        await run();
        times.push(performance.now() - begun);
      }
      found[name]?.push(times);
      log(
        `round ${round}, ${name}: median ${percentile(times, 50).toFixed(0)} ms, p95 ${percentile(times, 95).toFixed(0)} ms`,
      );
    }
  }
  return {
    series: [50, 95].flatMap((percent) => toSeries(found, percent)),
    notes: [
      `REST: the list, emails and events of each contact over ${restConnections} connections, members of the segment and executions of the workflow: ${2 * shown + 3} requests.`,
    ],
  };
}

function toSeries(found: Record<string, number[][]>, percent: number): Series[] {
  const of = (name: string) => ({
    label: `${name}, p${percent}`,
    unit: 'ms',
    rounds: (found[name] ?? []).map((times) => percentile(times, percent)),
  });
  return [{ ...of('GraphQL'), against: `REST, p${percent}`, goal: { below: 2 } }, of('REST')];
}

const open = ({ stack }: BenchStack, { secretKey }: TestProject): Promise<HttpConnection> =>
  openHttpConnection(stack.urls.api.replace('localhost', '127.0.0.1'), `Bearer ${secretKey}`);

async function byGraphql(stack: BenchStack, project: TestProject): Promise<() => Promise<void>> {
  const connection = await open(stack, project);
  const body = JSON.stringify({ query: document });
  return async () => {
    const answer = await connection.post('/graphql', body);
    const { data, errors } = JSON.parse(answer.body) as {
      data?: { contacts: { edges: unknown[] } };
      errors?: unknown;
    };
    if (errors || data?.contacts.edges.length !== shown) throw new Error(answer.body.slice(0, 300));
  };
}

async function byRest(
  stack: BenchStack,
  project: TestProject,
  lists: readonly string[],
): Promise<() => Promise<void>> {
  const connections = await Promise.all(Array.from({ length: restConnections }, () => open(stack, project)));
  const get = async (connection: HttpConnection | undefined, path: string): Promise<string> => {
    const answer = await connection?.get(path);
    if (answer?.status !== 200) throw new Error(`${path}: ${answer?.status} ${answer?.body.slice(0, 200)}`);
    return answer.body;
  };
  return async () => {
    const list = JSON.parse(await get(connections[0], `/contacts?limit=${shown}`)) as {
      data: { id: string }[];
    };
    if (list.data.length !== shown) throw new Error(`${list.data.length} contacts`);
    const paths = [
      ...lists,
      ...list.data.flatMap(({ id }) => [`/emails?contactId=${id}&limit=3`, `/events/contact/${id}?limit=3`]),
    ];
    await Promise.all(
      connections.map(async (connection, lane) => {
        for (let index = lane; index < paths.length; index += restConnections)
          JSON.parse(await get(connection, paths[index] ?? ''));
      }),
    );
  };
}
