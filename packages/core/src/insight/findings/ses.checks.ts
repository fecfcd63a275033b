import type { Examined } from './examined.ts';
import { checksOf, failure, type Outcome, ok, warning } from './finding.ts';
import { percent } from './quantities.ts';

async function account({ config, inspect, limits }: Examined): Promise<Outcome[]> {
  if (config.mailProvider.name !== 'ses') return [ok('account', 'MAIL_TRANSPORT is not ses')];
  const subject = `account in ${config.AWS_REGION}`;
  const facts = await inspect.ses();
  switch (facts.kind) {
    case 'no credentials':
      return [
        failure({
          subject,
          found: `no credentials: ${facts.error}`,
          cause: 'No process starts without them.',
          action: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the machine a role.',
        }),
      ];
    case 'not allowed':
      return [
        failure({
          subject,
          found: `the account cannot be read: ${facts.error}`,
          cause:
            'The credentials are wrong, are those of another account, or lack the permission ses:GetAccount.',
          action: 'Correct the credentials, and allow them what README.md lists for AWS_REGION.',
        }),
      ];
    case 'away':
      return [
        failure({
          subject,
          found: `Amazon SES does not answer: ${facts.error}`,
          cause: 'There is no way to it from here, or AWS_REGION names a region without SES.',
          action: 'Correct AWS_REGION, and open the way to it (HTTPS).',
        }),
      ];
    case 'found':
      break;
  }
  const { maySend, isSandbox, quota, sent } = facts;
  const outcomes: Outcome[] = [];
  if (!maySend)
    outcomes.push(
      failure({
        subject,
        found: 'sending is disabled for the account',
        cause: 'Amazon has paused it, usually for bounces or complaints, or a person has.',
        action: 'Read the message of Amazon in the console of SES, and answer it there.',
      }),
    );
  if (isSandbox)
    outcomes.push(
      warning({
        subject,
        found: 'the account is in the sandbox',
        cause: 'It may send to verified addresses only, and 200 messages a day.',
        action: 'Ask for production access in the console of SES.',
      }),
    );
  if (quota !== null && sent >= quota * limits.sesQuota)
    outcomes.push(
      (sent >= quota ? failure : warning)({
        subject,
        found: `${percent(sent / quota)} of the quota of ${quota} messages in 24 hours are used`,
        cause: 'Beyond it SES refuses messages, and email waits.',
        action: 'Ask for a higher quota in the console of SES.',
      }),
    );
  return outcomes.length > 0 ? outcomes : [ok(subject, 'may send')];
}

export const sesChecks = checksOf<Examined>('ses', ['MAIL_TRANSPORT', 'AWS_REGION'])({
  account: { reference: 'Amazon SES: account', run: account },
});
