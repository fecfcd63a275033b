import { sendCampaignNow, untilCampaignSent } from '@postrider/harness/campaign';
import { mailProcessesOf } from '@postrider/harness/process-tree';
import type { TestProject } from '@postrider/harness/project.store';
import type { BenchStack } from '../harness/bench-stack.ts';
import { cpuSeconds } from '../harness/cpu-time.ts';
import { watchMemory } from '../harness/memory.ts';
import { newsletterBody, newsletterSubject } from './campaign-content.ts';
import { rateAtSink } from './rate-at-sink.ts';

const stallMs = 60_000;

export interface CampaignFigures {
  /** messages per second at the sink, from the first to the last */
  rate: number;
  /** CPU time per message of the worker apps and PostgreSQL, in milliseconds */
  cpuMs: number;
  /** from the send request to the status SENT */
  seconds: number;
  /** peak memory of all delivery processes together, in MiB */
  memory: number;
}

/** Sends the newsletter to all contacts of the project. @param workerPids the worker apps that run */
export async function sendCampaign(
  { stack, sink, db, postgres }: BenchStack,
  project: TestProject,
  recipients: number,
  workerPids: readonly number[],
): Promise<CampaignFigures> {
  await sink.clear();
  const pids = [...workerPids, postgres.pid];
  const mail = await Promise.all(workerPids.map(mailProcessesOf));
  const memory = watchMemory(mail.flat());
  const cpuBefore = await cpuSeconds(pids);
  const begun = performance.now();
  const content = { subject: newsletterSubject, body: newsletterBody };
  const campaignId = await sendCampaignNow(stack.urls.api, project, content);
  await untilCampaignSent(db, campaignId, { stallMs });
  const seconds = (performance.now() - begun) / 1_000;
  const cpuMs = (((await cpuSeconds(pids)) - cpuBefore) * 1_000) / recipients;
  const rate = rateAtSink(await sink.messages(), recipients);
  return { rate, cpuMs, seconds, memory: memory.stop() / 2 ** 20 };
}
