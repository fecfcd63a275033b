import type { ChaosStack } from '@postrider/harness/chaos-stack';
import { type HttpConnection, openHttpConnection } from '@postrider/harness/http-connection';
import { type ProbeFigures, probe } from '@postrider/harness/probe';
import { childrenOf } from '@postrider/harness/process-tree';
import { createProject, type TestProject } from '@postrider/harness/project.store';
import { createRandom } from '@postrider/harness/random';
import { percentile } from '@postrider/harness/statistics';
import { measureWakeLatency, randomPause } from '@postrider/harness/wake-latency';
import { createTemplate, createWorkflow } from '@postrider/harness/workflow';
import {
  type ExecutionRecord,
  readExecutions,
  strandedExecutions,
  undispatchedEvents,
} from '@postrider/harness/workflow.store';
import { untilExecutionsEnd } from '@postrider/harness/workflow-run';
import { watchEachMemory } from '../harness/memory.ts';
import { compareLedgerWithSink } from '../ledger/compare-ledger-with-sink.ts';
import { describeReport } from './describe-report.ts';
import type { Scenario } from './scenario.ts';
import { withStack } from './with-stack.ts';

const connections = 40;
const stepsEach = 4;
/** The API counts as responsive if no probe takes longer. */
const patienceMs = 5_000;
const memoryLimit = 1.5 * 2 ** 30;
/** Longer than the DELAY of a minute, during which there is no progress. */
const stallMs = 180_000;
/** Emails of another project, sent during the run. */
const neighbourMails = 60;
const event = 'came in';

export const entry: Scenario = {
  name: 'entry',
  summary:
    'many contacts enter one workflow at once: no failed execution, the api answers, memory is bounded',
  recipients: 3_000,
  mostSeeds: 1,
  run(options) {
    const { recipients, seed, log } = options;
    // Times as in production, because this run kills nothing.
    const env = { DELIVERY_LEASE_SECONDS: '60', RECONCILE_SECONDS: '60' };
    return withStack(options, { env }, async (chaos) => {
      const keys = { appSecret: chaos.stack.env.APP_SECRET ?? '', signed: false };
      const project = await createProject(chaos.db, keys);
      const neighbour = await createProject(chaos.db, { ...keys, domain: 'neighbour.test' });
      const random = createRandom(seed);
      const workflowId = await buildWelcome(chaos, project);
      const watch = await watchProduct(chaos, project);
      log(`${recipients} people enter, over ${connections} connections`);
      const begun = performance.now();
      const refused = await enterAll(chaos, project, recipients);
      const enteredMs = performance.now() - begun;
      log(
        `all are tracked after ${(enteredMs / 1_000).toFixed(1)} s; waiting until every execution has ended`,
      );
      const [waits] = await Promise.all([
        measureWakeLatency(chaos, neighbour, {
          samples: neighbourMails,
          before: () => randomPause(random, 200, 2_000),
        }),
        untilExecutionsEnd(chaos, workflowId, { executions: recipients, stallMs }),
      ]);
      const tookMs = performance.now() - begun;
      log(`every execution has ended after ${(tookMs / 1_000).toFixed(1)} s; comparing`);
      const watched = await watch.stop();
      const executions = await readExecutions(chaos.db, workflowId);
      const report = await compareLedgerWithSink(chaos.db, chaos.sink);
      const undispatched = await undispatchedEvents(chaos.db);
      return {
        reports: [report],
        problems: [
          ...refused,
          ...watched.problems,
          ...executionProblems(executions, recipients),
          ...(report.emails === recipients + neighbourMails
            ? []
            : [`${recipients} people and ${neighbourMails} neighbours, but ${report.emails} emails`]),
          ...(undispatched === 0 ? [] : [`${undispatched} events wait to be dispatched`]),
          ...(await strandedExecutions(chaos.db)),
        ],
        notes: [
          ...describeReport(report),
          `${recipients} tracked in ${(enteredMs / 1_000).toFixed(1)} s, all ended after ${(tookMs / 1_000).toFixed(1)} s, a minute of delay included`,
          `answer of /v1/send of another project to the sink meanwhile: p50 ${percentile(waits, 50).toFixed(0)} ms, p95 ${percentile(waits, 95).toFixed(0)} ms, max ${percentile(waits, 100).toFixed(0)} ms (${waits.length} mails)`,
          ...watched.notes,
        ],
      };
    });
  },
};

/** trigger → email → DELAY of a minute → EXIT */
async function buildWelcome({ stack }: ChaosStack, project: TestProject): Promise<string> {
  const api = stack.urls.api;
  const template = await createTemplate(api, project, { name: 'Welcome', type: 'MARKETING' });
  const workflow = await createWorkflow(api, project, { name: 'Welcome', eventName: event });
  const mail = await workflow.add('SEND_EMAIL', 'Welcome', {}, template);
  const delay = await workflow.add('DELAY', 'A minute', { amount: 1, unit: 'minutes' });
  const exit = await workflow.add('EXIT', 'Done', {});
  await workflow.join(workflow.triggerId, mail);
  await workflow.join(mail, delay);
  await workflow.join(delay, exit);
  await workflow.enable();
  return workflow.id;
}

interface Watched {
  problems: string[];
  notes: string[];
}

/** Probes the API and samples the memory of every process of the product. */
async function watchProduct({ stack }: ChaosStack, { secretKey }: TestProject) {
  const { api, worker } = stack.processes;
  const processes = new Map<number, string>();
  if (api.pid !== undefined) processes.set(api.pid, 'api');
  if (worker.pid !== undefined) {
    processes.set(worker.pid, 'worker');
    for (const pid of await childrenOf(worker.pid)) processes.set(pid, `process ${pid} of the worker`);
  }
  const memory = watchEachMemory([...processes.keys()]);
  const probes = new Map(
    ['/health/live', '/health/ready', '/workflows?pageSize=20', '/contacts?limit=50'].map((path) => [
      path,
      probe(new URL(path, stack.urls.api), { secretKey, patienceMs }),
    ]),
  );
  return {
    async stop(): Promise<Watched> {
      const watched: Watched = { problems: [], notes: [] };
      for (const [path, { stop }] of probes) judgeProbe(path, await stop(), watched);
      for (const [pid, bytes] of memory.stop()) {
        const size = `${(bytes / 2 ** 20).toFixed(0)} MiB`;
        watched.notes.push(`memory of ${processes.get(pid)}: at most ${size}`);
        if (bytes > memoryLimit) watched.problems.push(`${processes.get(pid)} held ${size}`);
      }
      if (worker.restarts + api.restarts > 0) watched.problems.push('a process ended and was started again');
      return watched;
    },
  };
}

function judgeProbe(path: string, { latencies, failures }: ProbeFigures, { problems, notes }: Watched): void {
  const ms = (percent: number): string => percentile(latencies, percent).toFixed(0);
  notes.push(
    `GET ${path} each 100 ms: p50 ${ms(50)} ms, p95 ${ms(95)} ms, max ${ms(100)} ms (${latencies.length} answers)`,
  );
  problems.push(...failures.map((failure) => `GET ${path}: ${failure}`));
}

async function enterAll({ stack }: ChaosStack, { publicKey }: TestProject, count: number): Promise<string[]> {
  const refused: string[] = [];
  const lanes = await Promise.all(
    Array.from({ length: connections }, () => openHttpConnection(stack.urls.api, `Bearer ${publicKey}`)),
  );
  let next = 0;
  const work = async (lane: HttpConnection): Promise<void> => {
    for (;;) {
      const index = next;
      next += 1;
      if (index >= count) return;
      const body = { email: `visitor${index}@people.test`, event, data: { code: `V${index}` } };
      const answer = await lane.post('/v1/track', JSON.stringify(body));
      if (answer.status !== 200)
        refused.push(`/v1/track answered ${answer.status}: ${answer.body.slice(0, 200)}`);
    }
  };
  await Promise.all(lanes.map(work));
  for (const lane of lanes) lane.close();
  return refused;
}

function executionProblems(executions: readonly ExecutionRecord[], wanted: number): string[] {
  const people = new Set(executions.map(({ email }) => email));
  return [
    ...(executions.length === wanted && people.size === wanted
      ? []
      : [`${wanted} people, but ${executions.length} executions of ${people.size} contacts`]),
    ...executions.flatMap(({ email, status, exitReason, open, steps }) => {
      const isDone = steps.length === stepsEach && steps.every((step) => step.status === 'COMPLETED');
      const emails = steps.reduce((sum, step) => sum + step.emails, 0);
      if (status === 'EXITED' && isDone && emails === 1 && !open) return [];
      return [
        `the execution of ${email} is ${status} (${exitReason}) with ${steps.length} steps, ${emails} emails`,
      ];
    }),
  ];
}
