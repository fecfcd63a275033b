import { sendCampaignNow, untilCampaignSent } from '@postrider/harness/campaign';
import type { ChaosStack } from '@postrider/harness/chaos-stack';
import { createProject, insertContacts } from '@postrider/harness/project.store';
import { FRIENDLY, fateOf, type SinkBehaviour } from '@postrider/local/sink';
import { compareLedgerWithSink } from '../ledger/compare-ledger-with-sink.ts';
import { type LedgerEmail, readLedger } from '../ledger/ledger.store.ts';
import { describeReport } from './describe-report.ts';
import type { Scenario } from './scenario.ts';
import { withStack } from './with-stack.ts';

const deferMs = 20_000;
const stallMs = 120_000;

const behaviour = (stored: boolean): Partial<SinkBehaviour> => ({
  defer: { share: 1 / 3, forMs: deferMs },
  reject: { share: 0.01 },
  drop: { share: 0.01, stored },
});

export const hostileSink: Scenario = {
  name: 'hostile-sink',
  summary:
    '4xx to a third of the recipients for 20 s, 5xx to 1 %, 1 % dropped after DATA: ledger and sink agree',
  recipients: 3_000,
  mostSeeds: 1,
  run(options) {
    const { recipients, log } = options;
    // The bounces of this scenario would disable the project.
    return withStack(options, { env: { AUTO_PROJECT_DISABLE: 'false' } }, async (chaos) => {
      const problems: string[] = [];
      // Twice, because after a dropped connection the message may have been accepted or not.
      for (const stored of [true, false]) {
        log(`a campaign to ${recipients}; what is dropped after DATA is ${stored ? 'kept' : 'lost'}`);
        problems.push(...(await meetFates(chaos, recipients, stored)));
      }
      const report = await compareLedgerWithSink(chaos.db, chaos.sink);
      // Every connection that is dropped after the final dot leaves an email UNCERTAIN.
      return {
        reports: [report],
        problems,
        notes: describeReport(report),
        uncertain: { samples: [report.uncertain.length], most: null },
      };
    });
  },
};

/** Sends a campaign and compares the status of every email with the sink's planned behaviour for its address. */
async function meetFates(chaos: ChaosStack, recipients: number, stored: boolean): Promise<string[]> {
  const project = await createProject(chaos.db, {
    appSecret: chaos.stack.env.APP_SECRET ?? '',
    signed: stored,
  });
  await insertContacts(chaos.db, project.id, recipients);
  const hostile = behaviour(stored);
  await chaos.sink.setBehaviour(hostile);
  const campaignId = await sendCampaignNow(chaos.stack.urls.api, project);
  await untilCampaignSent(chaos.db, campaignId, { stallMs });
  const { emails } = await readLedger(chaos.db);
  const mine = emails.filter((email) => email.campaignId === campaignId);
  const { deferred } = await chaos.sink.refusals();
  const problems = mine.flatMap((email) => fateProblem(email, { ...FRIENDLY, ...hostile }));
  if (mine.length !== recipients) problems.push(`${recipients} contacts, but ${mine.length} emails`);
  if (deferred.size === 0)
    problems.push('the sink refused nobody for a while: this run proved nothing about 4xx');
  return problems;
}

const expected = { accept: 'SENT', defer: 'SENT', reject: 'FAILED', drop: 'UNCERTAIN' } as const;

function fateProblem(email: LedgerEmail, sink: SinkBehaviour): string[] {
  const fate = fateOf(sink, email.to);
  if (email.status === expected[fate]) return [];
  return [`email ${email.id} to ${email.to} met "${fate}" and is ${email.status}: ${email.error}`];
}
