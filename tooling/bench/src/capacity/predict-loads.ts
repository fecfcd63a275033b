import { setTimeout as sleep } from 'node:timers/promises';
import { createProject, insertContacts } from '@postrider/harness/project.store';
import type { BenchOptions } from '../harness/bench.ts';
import { predict, processorSeconds, type Taken, type Work } from './capacity.rules.ts';
import { countInteractions } from './capacity.store.ts';
import { driveEvenly } from './drive.ts';
import { type MeasuredUnits, warmUpSeconds } from './measure-units.ts';
import type { MeasuredBesides } from './meter.ts';
import {
  addEndpoint,
  freeze,
  importRows,
  letLeave,
  reading,
  type Scene,
  sending,
  tracking,
} from './scene.ts';
import type { WebhookReceiver } from './webhook-receiver.ts';

/** A load of several kinds of work, as predicted from the units and as measured. */
export interface Prediction {
  load: string;
  predicted: Taken;
  measured: Taken;
}

const rates = { sends: 50, opens: 200, events: 100 } as const;
const importFileRows = 50_000;
const pollMs = 100;
/** More than the pace asks for, so that there is always another one. */
const spare = 1.1;

export async function predictLoads(
  scene: Scene,
  receiver: WebhookReceiver,
  { idle, costs, emails, imported }: MeasuredUnits,
  { seconds, log }: Pick<BenchOptions, 'seconds' | 'log'>,
): Promise<Prediction[]> {
  const { meter, stack } = scene;
  const predictions: Prediction[] = [];
  const compare = async (
    load: string,
    run: () => Promise<readonly Work[]>,
    besides: MeasuredBesides = {},
  ): Promise<void> => {
    let work: readonly Work[] = [];
    const spent = await meter.measure(async () => {
      work = await run();
    }, besides);
    // Tables grew by what was done to warm up, too.
    const own = besides.warm ? seconds / (seconds + warmUpSeconds) : 1;
    const measured = {
      ...{ processorSeconds: processorSeconds(spent), walBytes: spent.walBytes, bytes: spent.bytes * own },
    };
    // Work of a kind is done at the rate that it has while there is any.
    const paced = work.map((one) => ({ perSecond: one.count / spent.driving, ...one }));
    const predicted = predict(costs, idle, paced, spent);
    predictions.push({ load, predicted, measured });
    log(`${load}: ${work.map(({ unit, count }) => `${count} × ${unit}`).join(', ')}`);
  };

  const mixed = async (length: number): Promise<Work[]> => {
    const opens = reading(scene, emails, 'opens', Math.ceil(rates.opens * length * spare));
    const [sent, opened, used] = await Promise.all([
      driveEvenly(sending(scene, scene.sends, 'mixed'), rates.sends, length),
      driveEvenly(opens, rates.opens, length),
      driveEvenly(tracking(scene, scene.events), rates.events, length),
    ]);
    return [
      { unit: 'accept', count: sent },
      { unit: 'delivery', count: sent },
      { unit: 'open', count: opened },
      { unit: 'event', count: used },
    ];
  };
  await compare(
    `${rates.sends} sends, ${rates.opens} opens and ${rates.events} events a second`,
    () => mixed(seconds),
    {
      warm: async () => void (await mixed(warmUpSeconds)),
      isDone: async () => (await countInteractions(stack.db, emails.campaignId)) >= emails.asked,
    },
  );

  // So large that its webhooks take about the given time.
  const recipients = Math.ceil(costs['webhook attempt'].most.perSecond * seconds);
  const told = await createProject(stack.db, {
    ...{ appSecret: stack.stack.env['APP_SECRET'] ?? '', signed: false, domain: 'told.test' },
  });
  await insertContacts(stack.db, told.id, recipients);
  await addEndpoint(scene, told, receiver.urlOf(0));
  await compare('a campaign with a webhook for each email', async () => {
    await letLeave(scene, await freeze(scene, told));
    return [
      { unit: 'freeze', count: recipients, perSecond: Number.POSITIVE_INFINITY },
      { unit: 'campaign delivery', count: recipients, perSecond: Number.POSITIVE_INFINITY },
      { unit: 'webhook attempt', count: recipients, perSecond: Number.POSITIVE_INFINITY },
    ];
  });
  await stack.sink.clear();

  await compare(`imports, and ${rates.events} events a second`, async () => {
    const importing = importRows(scene, imported + 1, { perFile: importFileRows, seconds });
    let isOver = false;
    const over = importing.finally(() => {
      isOver = true;
    });
    let events = 0;
    const next = tracking(scene, scene.events);
    while (!isOver) {
      events += await driveEvenly(next, rates.events, 1);
      await Promise.race([over, sleep(pollMs)]);
    }
    return [
      { unit: 'import row', count: await importing, perSecond: Number.POSITIVE_INFINITY },
      { unit: 'event', count: events },
    ];
  });
  return predictions;
}
