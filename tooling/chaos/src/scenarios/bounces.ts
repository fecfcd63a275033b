import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendCampaignNow, untilCampaignSent } from '@postrider/harness/campaign';
import { type ChaosStack, chaosEnv, connectionsPerProcess } from '@postrider/harness/chaos-stack';
import { createProject, insertContacts } from '@postrider/harness/project.store';
import { freePort } from '@postrider/local/ports';
import { readNews, receiveBounces } from '../harness/news.store.ts';
import { type MailReport, sendReport } from '../harness/report-sender.ts';
import type { Scenario } from './scenario.ts';
import { withStack } from './with-stack.ts';

const bounceShare = 0.05;
const complaintShare = 0.01;
const sinkDelayMs = 20;
const stallMs = 240_000;
/** The worker is killed when the sink has received these shares of the campaign. */
const killsAt = [0.25, 0.6];

export const bounces: Scenario = {
  name: 'bounces',
  summary:
    'bounces for 5 % and complaints for 1 % of a campaign arrive while the worker that receives them is killed twice: each counts once',
  recipients: 5_000,
  mostSeeds: 3,
  async run(options) {
    const { recipients, log } = options;
    const port = await freePort();
    const env = { BOUNCE_PORT: String(port), AUTO_PROJECT_DISABLE: 'false' };
    return withStack(options, { env }, async (chaos) => {
      await chaos.sink.setBehaviour({ delayMs: sinkDelayMs });
      const appSecret = chaos.stack.env.APP_SECRET ?? '';
      const project = await createProject(chaos.db, { appSecret, signed: true });
      await receiveBounces(chaos.db, project.id);
      await insertContacts(chaos.db, project.id, recipients);
      const campaignId = await sendCampaignNow(chaos.stack.urls.api, project);
      const sent = untilCampaignSent(chaos.db, campaignId, { stallMs });
      const reporting = reportAll(chaos, port, sent);
      for (const share of killsAt) {
        await untilTaken(chaos, recipients * share);
        log(`kill -9 of the worker after ${await chaos.sink.count()} messages`);
        await chaos.stack.processes.worker.kill();
      }
      await sent;
      const reports = await reporting;
      const news = await readNews(chaos.db, campaignId);
      const expected = {
        bounced: reports.filter(({ kind }) => kind === 'bounce').length,
        complained: reports.filter(({ kind }) => kind === 'complaint').length,
      };
      log(`${expected.bounced} bounces and ${expected.complained} complaints were answered with 250`);
      const wrong = Object.entries(news).flatMap(([where, { bounced, complained }]) =>
        bounced === expected.bounced && complained === expected.complained
          ? []
          : [
              `${where}: ${bounced} bounces and ${complained} complaints, but ${expected.bounced} and ${expected.complained} were reported`,
            ],
      );
      const kills = killsAt.length * Number(chaosEnv.MAIL_WORKERS);
      const uncertain = await chaos.db.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM "Email" WHERE "status" = 'UNCERTAIN'`,
      );
      return {
        reports: [],
        problems: expected.bounced > 0 && expected.complained > 0 ? wrong : ['nothing was reported'],
        notes: [
          `${recipients} emails; ${expected.bounced} bounces and ${expected.complained} complaints, each applied once`,
        ],
        kills,
        uncertain: { samples: [uncertain.rows[0]?.count ?? 0], most: kills * connectionsPerProcess },
      };
    });
  },
};

/** What the server of an address reports, if anything. */
function kindOf(recipient: string): MailReport['kind'] | null {
  const point = createHash('sha1').update(recipient).digest().readUInt32BE() / 2 ** 32;
  if (point < bounceShare) return 'bounce';
  return point < bounceShare + complaintShare ? 'complaint' : null;
}

/** Reports every message as it arrives, until the campaign is sent. @returns what was taken */
async function reportAll(chaos: ChaosStack, port: number, sent: Promise<void>): Promise<MailReport[]> {
  let isSent = false;
  const end = sent.then(() => {
    isSent = true;
  });
  const done = new Map<string, MailReport>();
  for (;;) {
    const isLast = isSent;
    for (const { from, to } of await chaos.sink.messages()) {
      const kind = kindOf(to[0] ?? '');
      if (kind === null || done.has(from)) continue;
      const report = { to: from, kind };
      await sendReport(port, report, stallMs);
      done.set(from, report);
    }
    if (isLast) break;
    await sleep(200);
  }
  await end;
  return [...done.values()];
}

async function untilTaken(chaos: ChaosStack, wanted: number): Promise<void> {
  const until = Date.now() + stallMs;
  while ((await chaos.sink.count()) < wanted) {
    if (Date.now() > until) throw new Error(`The sink has not received ${wanted} messages in time.`);
    await sleep(20);
  }
}
