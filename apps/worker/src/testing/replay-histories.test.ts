import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { beforeAll, expect, it } from 'vitest';
import { workflowBundle } from '../workflow-bundle.ts';
import * as workflows from '../workflows.ts';
import { historiesFolder, type StoredHistory } from './history.ts';
import { fromStored } from './history-json.ts';

beforeAll(() => void Runtime.install({ logger: new DefaultLogger('ERROR') }));

const files = (await readdir(historiesFolder)).filter((file) => file.endsWith('.json')).sort();
const read = async (file: string): Promise<StoredHistory> =>
  JSON.parse(await readFile(join(historiesFolder, file), 'utf8')) as StoredHistory;
const typeOf = ({ events }: StoredHistory): string =>
  events[0]?.workflowExecutionStartedEventAttributes?.workflowType.name ?? '';

/** A new version replays the workflows that run during its rollout from their histories. */
it.each(files)('the current workflows replay %s', async (file) => {
  await Worker.runReplayHistory(
    { workflowBundle: await workflowBundle(console) },
    fromStored(await read(file)),
  );
});

it('every workflow has a recorded history; `npm run histories` records them', async () => {
  const histories = await Promise.all(files.map(read));
  expect([...new Set(histories.map(typeOf))].sort()).toEqual(Object.keys(workflows).sort());
});

it('a history with another activity than the workflow requests is refused', async () => {
  const [file = ''] = files.filter((each) => each.startsWith('runExecution'));
  const history = await read(file);
  for (const { activityTaskScheduledEventAttributes: activity } of history.events)
    if (activity) activity.activityType.name = 'somethingElse';
  await expect(
    Worker.runReplayHistory({ workflowBundle: await workflowBundle(console) }, fromStored(history)),
  ).rejects.toThrow(/nondeterminism/i);
});
