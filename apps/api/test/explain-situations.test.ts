import { newId } from '@postrider/core/base/lib';
import { routeId } from '@postrider/core/base/providers';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type Case, createCheck } from './explain-check.ts';
import { ago, ahead, json, type Kit, refusal, tree } from './explain-kit.ts';
import { startApp, type TestApp } from './harness.ts';

/** Situations in which more than one thing is true: which of them decides, and what is of no consequence. */
let test: TestApp;
let check: ReturnType<typeof createCheck>;
beforeAll(async () => {
  test = await startApp({ RATE_LIMIT_PER_MINUTE: '1000000' });
  check = createCheck(test);
});
afterAll(() => test.close());

const inTest = (kit: Kit) =>
  kit.db.project.update({ where: { id: kit.projectId }, data: { environment: 'TEST' } });

const disable = async (
  kit: Kit,
  reason: 'PAYMENT_FAILED' | 'EMAIL_REPUTATION' | 'PHISHING_DETECTED' | 'MANUAL',
  at: Date,
  liftedAt: Date | null = null,
) => {
  await kit.db.suspension.create({ data: { id: newId(), projectId: kit.projectId, reason, at, liftedAt } });
  if (liftedAt === null)
    await kit.db.project.update({
      where: { id: kit.projectId },
      data: { disabled: true, disabledReason: reason },
    });
};

const optedOut = async (kit: Kit, reason: string, at = ago(100)) => {
  const contact = await kit.contact({ subscribed: false, optedOutAt: at, subscriptionChangedAt: at });
  await kit.event(contact.id, 'contact.unsubscribed', at, { reason });
  return contact;
};

const emails: Case[] = [
  [
    'on the suppression list by hand, and unsubscribed as well',
    async (kit) => {
      const contact = await optedOut(kit, 'page', ago(300));
      await kit.suppress(contact.email, { reason: 'MANUAL' });
      return { email: await kit.email(contact, { status: 'SKIPPED', reason: 'suppressed' }) };
    },
    { verdict: 'SKIPPED', cause: 'suppressed', action: 'contacts.deleteSuppression', outcome: 'stopped' },
  ],
  [
    'unsubscribed then, and suppressed only afterwards',
    async (kit) => {
      const contact = await optedOut(kit, 'one_click', ago(100));
      await kit.suppress(contact.email, { createdAt: ago(2) });
      return { email: await kit.email(contact, { status: 'SKIPPED', reason: 'unsubscribed' }) };
    },
    { verdict: 'SKIPPED', cause: 'unsubscribed', action: 'none', outcome: 'stopped' },
  ],
  [
    'unsubscribed by a hard bounce',
    async (kit) => {
      const contact = await optedOut(kit, 'bounce', ago(100));
      return { email: await kit.email(contact, { status: 'SKIPPED', reason: 'unsubscribed' }) };
    },
    { verdict: 'SKIPPED', cause: 'unsubscribed', action: 'none', outcome: 'stopped', says: /bounce/i },
  ],
  [
    'a copy in cc to a suppressed address',
    async (kit) => {
      const first = await kit.contact();
      const sharedMessageId = await kit.email(first, {
        status: 'SENT',
        sentAt: ago(50),
        recipientType: 'TO',
      });
      await kit.suppress('accounts@people.test');
      return {
        email: await kit.email(
          { id: first.id, email: 'accounts@people.test' },
          { status: 'SKIPPED', reason: 'suppressed', recipientType: 'CC', toOther: true, sharedMessageId },
        ),
      };
    },
    { verdict: 'SKIPPED', cause: 'suppressed', action: 'contacts.deleteSuppression', outcome: 'stopped' },
  ],
  [
    'a copy in bcc that bounced: the address is not that of the contact',
    async (kit) => {
      const first = await kit.contact();
      return {
        email: await kit.email(
          { id: first.id, email: 'archive@people.test' },
          {
            status: 'BOUNCED',
            recipientType: 'BCC',
            toOther: true,
            sharedMessageId: newId(),
            sentAt: ago(50),
            bouncedAt: ago(40),
            diagnosis: refusal('no_mailbox', '5.1.1', 550, 'no archive here'),
          },
        ),
      };
    },
    { verdict: 'BOUNCED', cause: 'no_mailbox', action: 'none', says: 'no archive here' },
  ],
  [
    'a copy whose message was cancelled by its first email',
    async (kit) => {
      const contact = await kit.contact();
      const first = await kit.email(contact, { status: 'SKIPPED', reason: 'cancelled', recipientType: 'TO' });
      await kit.db.email.update({ where: { id: first }, data: { sharedMessageId: first } });
      await kit.audit('sending.cancel', first, ago(30), ['status']);
      return {
        email: await kit.email(
          { id: contact.id, email: 'copy@people.test' },
          {
            status: 'SKIPPED',
            reason: 'cancelled',
            recipientType: 'CC',
            toOther: true,
            sharedMessageId: first,
          },
        ),
      };
    },
    { verdict: 'SKIPPED', cause: 'cancelled', action: 'sending.send', outcome: 'stopped' },
  ],
  [
    'of a workflow, cancelled by itself while the execution went on',
    async (kit) => {
      const contact = await kit.contact();
      const { id, send } = await kit.workflow();
      const workflowExecutionId = await kit.execution(id, contact.id, { status: 'COMPLETED' });
      const email = await kit.email(contact, {
        status: 'SKIPPED',
        reason: 'cancelled',
        sourceType: 'WORKFLOW',
        workflowExecutionId,
        workflowStepExecutionId: await kit.run(workflowExecutionId, send),
      });
      await kit.audit('sending.cancel', email, ago(30), ['status']);
      return { email };
    },
    { verdict: 'SKIPPED', cause: 'cancelled', action: 'sending.send', outcome: 'stopped' },
  ],
  [
    'skipped in the second of two suspensions',
    async (kit) => {
      await disable(kit, 'PAYMENT_FAILED', ago(900), ago(800));
      await disable(kit, 'EMAIL_REPUTATION', ago(40), ago(10));
      return {
        email: await kit.email(await kit.contact(), { status: 'SKIPPED', reason: 'project_disabled' }),
      };
    },
    { verdict: 'SKIPPED', cause: 'project_disabled', action: 'reputation.security', outcome: 'stopped' },
  ],
  [
    'scheduled in a test project',
    async (kit) => {
      await inTest(kit);
      return {
        email: await kit.waiting(
          await kit.contact(),
          { scheduledAt: ahead(90) },
          { nextAttemptAt: ahead(90) },
        ),
      };
    },
    { verdict: 'WAITING', cause: 'schedule', action: 'sending.reschedule', heldBy: 'schedule' },
  ],
  [
    'scheduled, while the mail server of its sender domain is paused',
    async (kit) => {
      await kit.pause();
      return {
        email: await kit.waiting(
          await kit.contact(),
          { scheduledAt: ahead(90) },
          { nextAttemptAt: ahead(90) },
        ),
      };
    },
    { verdict: 'WAITING', cause: 'schedule', action: 'sending.reschedule', heldBy: 'schedule' },
  ],
  [
    'whose scheduled time has come, first in the queue',
    async (kit) => ({
      email: await kit.waiting(
        await kit.contact(),
        { scheduledAt: ago(0.05), createdAt: ago(600) },
        { nextAttemptAt: ago(0.05) },
      ),
    }),
    { verdict: 'WAITING', cause: null, action: null },
  ],
  [
    'deferred, and its contact has unsubscribed since',
    async (kit) => {
      const contact = await optedOut(kit, 'page', ago(2));
      const id = await kit.waiting(
        contact,
        { attempts: 1, diagnosis: refusal('unreachable', '4.2.0', 451, 'greylisted here') },
        { nextAttemptAt: ahead(10), again: true },
      );
      await kit.interaction(id, 'deferral', 'greylisted here', ago(5));
      return { email: id };
    },
    { verdict: 'WAITING', cause: 'retry', action: 'none', heldBy: 'retry', says: 'greylisted here' },
  ],
  [
    'waiting while the whole mail server is paused',
    async (kit) => {
      const id = routeId(kit.test.services.config);
      const paused = { pausedAt: ago(4), reason: 'connection refused', failures: 3, nextProbeAt: ahead(1) };
      await kit.db.route.upsert({ where: { id }, create: { id, ...paused }, update: paused });
      kit.afterwards(() =>
        kit.db.route.update({ where: { id }, data: { pausedAt: null, reason: null, failures: 0 } }),
      );
      return { email: await kit.waiting(await kit.contact()) };
    },
    { verdict: 'WAITING', cause: 'route', action: 'none', heldBy: 'route', says: 'connection refused' },
  ],
  [
    'a full mailbox, reported after it was accepted',
    async (kit) => ({
      email: await kit.email(await kit.contact(), {
        status: 'BOUNCED',
        sentAt: ago(50),
        bouncedAt: ago(20),
        diagnosis: refusal('full', '4.2.2', 452, 'over quota'),
      }),
    }),
    { verdict: 'BOUNCED', cause: 'full', action: 'none', says: 'over quota' },
  ],
  [
    'a report that the sender is blocked',
    async (kit) => ({
      email: await kit.email(await kit.contact(), {
        status: 'BOUNCED',
        sentAt: ago(50),
        bouncedAt: ago(20),
        diagnosis: refusal('blocked', '5.7.1', 550, 'listed at a blocklist'),
      }),
    }),
    { verdict: 'BOUNCED', cause: 'blocked', action: 'domains.health', says: 'blocklist' },
  ],
  [
    'delivered at the third attempt',
    async (kit) => {
      const id = await kit.email(await kit.contact(), {
        status: 'DELIVERED',
        attempts: 3,
        sentAt: ago(20),
        deliveredAt: ago(19),
      });
      await kit.interaction(id, 'deferral', 'first try later', ago(40));
      await kit.interaction(id, 'deferral', 'again later', ago(30));
      return { email: id };
    },
    { verdict: 'DELIVERED', cause: null, action: null, says: 'first try later' },
  ],
  [
    'uncertain for good: it was sent once more already',
    async (kit) => ({
      email: await kit.email(await kit.contact(), {
        status: 'UNCERTAIN',
        uncertainAt: ago(50),
        attempts: 2,
        autoResent: true,
      }),
    }),
    { verdict: 'UNCERTAIN', cause: 'uncertain', action: 'none', outcome: 'unknown' },
  ],
  [
    'opened, and the recipient has unsubscribed and complained about another one since',
    async (kit) => {
      const contact = await optedOut(kit, 'complaint', ago(3));
      await kit.suppress(contact.email, { reason: 'COMPLAINT', createdAt: ago(3) });
      return {
        email: await kit.email(contact, { status: 'OPENED', sentAt: ago(60), openedAt: ago(50) }),
      };
    },
    { verdict: 'DELIVERED', cause: null, action: null },
  ],
  [
    'scheduled, and moved to another time by a member',
    async (kit) => {
      const id = await kit.waiting(
        await kit.contact(),
        { scheduledAt: ahead(600) },
        { nextAttemptAt: ahead(600) },
      );
      await kit.audit('sending.reschedule', id, ago(5), ['scheduledAt']);
      return { email: id };
    },
    {
      verdict: 'WAITING',
      cause: 'schedule',
      action: 'sending.reschedule',
      heldBy: 'schedule',
      says: 'moved to another time',
    },
  ],
  [
    'the third of a batch behind another one',
    async (kit) => {
      await kit.waiting(await kit.contact(), {}, { nextAttemptAt: ago(9) });
      const batchId = newId();
      const ids: string[] = [];
      for (let n = 0; n < 3; n += 1)
        ids.push(await kit.email(await kit.contact(), { status: 'PENDING', batchId }));
      await kit.db.deliveryBatch.create({
        data: {
          id: batchId,
          projectId: kit.projectId,
          domainId: kit.domainId,
          priority: 3,
          emailIds: ids,
          nextAttemptAt: ago(8),
        },
      });
      return { email: ids[2] ?? '' };
    },
    { verdict: 'WAITING', cause: 'queue', action: 'none', heldBy: 'queue' },
  ],
  [
    'of a campaign, while the mail server takes nothing from its domain',
    async (kit) => {
      await kit.pause('421 4.7.0 slow down');
      const campaignId = await kit.sent({ status: 'SENDING' });
      return {
        email: await kit.waiting(
          await kit.contact(),
          { sourceType: 'CAMPAIGN', campaignId },
          { campaignId, priority: 4 },
        ),
      };
    },
    { verdict: 'WAITING', cause: 'route', action: 'domains.health', heldBy: 'route', says: 'slow down' },
  ],
  [
    'accepted, and delayed by the receiving server',
    async (kit) => {
      const id = await kit.email(await kit.contact(), { status: 'SENT', sentAt: ago(50) });
      await kit.interaction(id, 'delay', 'still trying', ago(20));
      return { email: id };
    },
    { verdict: 'SENT', cause: null, action: null, says: 'still trying' },
  ],
  [
    'delivered in a test project',
    async (kit) => {
      await inTest(kit);
      return {
        email: await kit.email(await kit.contact(), {
          status: 'DELIVERED',
          simulated: true,
          sentAt: ago(9),
          deliveredAt: ago(9),
        }),
      };
    },
    { verdict: 'DELIVERED', cause: null, action: null },
  ],
  [
    'a copy that its recipient marked as spam',
    async (kit) => {
      const first = await kit.contact();
      const id = await kit.email(
        { id: first.id, email: 'boss@people.test' },
        {
          status: 'COMPLAINED',
          recipientType: 'CC',
          toOther: true,
          sharedMessageId: newId(),
          sentAt: ago(50),
          complainedAt: ago(9),
        },
      );
      await kit.interaction(id, 'complaint', 'abuse', ago(9));
      return { email: id };
    },
    { verdict: 'DELIVERED', cause: 'complained', action: 'none' },
  ],
  [
    'a test of a member at the limit of the sandbox',
    async (kit) => ({
      email: await kit.email(await kit.contact(), {
        status: 'SKIPPED',
        reason: 'sandbox',
        sourceType: 'TEST',
      }),
    }),
    { verdict: 'SKIPPED', cause: 'sandbox', action: 'domains.create' },
  ],
  [
    'unsubscribed by a step of a workflow',
    async (kit) => ({
      email: await kit.email(await optedOut(kit, 'workflow'), { status: 'SKIPPED', reason: 'unsubscribed' }),
    }),
    { verdict: 'SKIPPED', cause: 'unsubscribed', action: 'none', says: 'by a step of a workflow' },
  ],
  [
    'unsubscribed by a bulk change, and subscribed again since',
    async (kit) => {
      const contact = await kit.contact({ subscribed: true, subscriptionChangedAt: ago(5) });
      await kit.event(contact.id, 'contact.unsubscribed', ago(100), { reason: 'bulk' });
      await kit.event(contact.id, 'contact.subscribed', ago(5), { reason: 'api' });
      return { email: await kit.email(contact, { status: 'SKIPPED', reason: 'unsubscribed' }) };
    },
    { verdict: 'SKIPPED', cause: 'unsubscribed', action: 'none', says: 'by a bulk change' },
  ],
  [
    'during a pause that goes on',
    async (kit) => {
      const until = ahead(5_000);
      const contact = await kit.contact({
        subscribed: false,
        snoozedUntil: until,
        subscriptionChangedAt: ago(100),
      });
      await kit.event(contact.id, 'contact.unsubscribed', ago(100), {
        reason: 'page',
        snoozedUntil: until.toISOString(),
      });
      return { email: await kit.email(contact, { status: 'SKIPPED', reason: 'unsubscribed' }) };
    },
    { verdict: 'SKIPPED', cause: 'snoozed', action: 'none', outcome: 'stopped' },
  ],
  [
    'to an address that soft bounces keep on the list for some weeks',
    async (kit) => {
      const contact = await kit.contact();
      const emailId = await kit.email(contact, {
        status: 'BOUNCED',
        diagnosis: refusal('full', '4.2.2', 452, 'no room'),
        createdAt: ago(900),
      });
      await kit.suppress(contact.email, { emailId, expiresAt: ahead(40_000) });
      return { email: await kit.email(contact, { status: 'SKIPPED', reason: 'suppressed' }) };
    },
    { verdict: 'SKIPPED', cause: 'suppressed', action: 'contacts.deleteSuppression', outcome: 'stopped' },
  ],
  [
    'while its project was taken for phishing, and still is',
    async (kit) => {
      await disable(kit, 'PHISHING_DETECTED', ago(70));
      return {
        email: await kit.email(await kit.contact(), { status: 'SKIPPED', reason: 'project_disabled' }),
      };
    },
    { verdict: 'SKIPPED', cause: 'project_disabled', action: 'reputation.security' },
  ],
  [
    'of a campaign that was deleted',
    async (kit) => ({
      email: await kit.email(await kit.contact(), {
        status: 'SKIPPED',
        reason: 'cancelled',
        sourceType: 'CAMPAIGN',
        campaignId: newId(),
      }),
    }),
    { verdict: 'SKIPPED', cause: 'cancelled', action: 'none', outcome: 'stopped', says: 'was deleted' },
  ],
  [
    'a step whose template cannot be rendered',
    async (kit) => ({
      email: await kit.email(await kit.contact(), {
        status: 'FAILED',
        error: 'The message could not be created: unknown filter, line 2, column 4',
        sourceType: 'WORKFLOW',
        templateId: newId(),
      }),
    }),
    { verdict: 'FAILED', cause: 'render_failed', action: 'templates.update', says: 'unknown filter' },
  ],
  [
    'a request whose content cannot be rendered',
    async (kit) => ({
      email: await kit.email(await kit.contact(), {
        status: 'FAILED',
        error: 'The message could not be created: x',
      }),
    }),
    { verdict: 'FAILED', cause: 'render_failed', action: 'sending.send' },
  ],
  [
    'too large, of a request without a template',
    async (kit) => ({
      email: await kit.email(await kit.contact(), {
        status: 'FAILED',
        error: '552 5.3.4 too big',
        diagnosis: refusal('too_large', '5.3.4', 552, 'too big'),
      }),
    }),
    { verdict: 'FAILED', cause: 'too_large', action: 'sending.send', says: 'too big' },
  ],
  [
    'content of a campaign that is refused',
    async (kit) => ({
      email: await kit.email(await kit.contact(), {
        status: 'FAILED',
        error: '554 5.7.1 spam',
        diagnosis: refusal('content', '5.7.1', 554, 'spam'),
        sourceType: 'CAMPAIGN',
        campaignId: await kit.sent(),
      }),
    }),
    { verdict: 'FAILED', cause: 'content', action: 'campaigns.get', says: 'spam' },
  ],
  [
    'blocked, from a domain that the project has no more',
    async (kit) => ({
      email: await kit.email(await kit.contact(), {
        status: 'FAILED',
        error: '550 5.7.1 blocked',
        diagnosis: refusal('blocked', '5.7.1', 550, 'blocked'),
        contentId: await kit.content(newId(), 'hello@gone.example.com'),
      }),
    }),
    { verdict: 'FAILED', cause: 'blocked', action: 'none' },
  ],
  [
    'from a domain that was not verified then, and is now',
    async (kit) => ({
      email: await kit.email(await kit.contact(), { status: 'FAILED', error: 'sender domain not verified' }),
    }),
    { verdict: 'FAILED', cause: 'domain_unverified', action: 'sending.send', outcome: 'stopped' },
  ],
  [
    'of a campaign, from a domain that was removed and is back',
    async (kit) => ({
      email: await kit.email(await kit.contact(), {
        status: 'FAILED',
        error: 'sender domain removed',
        sourceType: 'CAMPAIGN',
        campaignId: await kit.sent(),
      }),
    }),
    { verdict: 'FAILED', cause: 'domain_removed', action: 'campaigns.retry', outcome: 'stopped' },
  ],
  [
    'from a domain that was removed, and is to be verified again',
    async (kit) => {
      await kit.db.domain.update({ where: { id: kit.domainId }, data: { status: 'PENDING' } });
      return {
        email: await kit.email(await kit.contact(), { status: 'FAILED', error: 'sender domain removed' }),
      };
    },
    { verdict: 'FAILED', cause: 'domain_removed', action: 'domains.verify' },
  ],
  [
    'returned, by a report that is no longer stored',
    async (kit) => ({
      email: await kit.email(await kit.contact(), {
        status: 'BOUNCED',
        sentAt: ago(90),
        bouncedAt: ago(80),
      }),
    }),
    { verdict: 'BOUNCED', cause: 'other', action: 'none', outcome: 'unknown' },
  ],
  [
    'a mailbox that was full for 72 hours',
    async (kit) => {
      const id = await kit.email(await kit.contact(), {
        status: 'FAILED',
        error: '452 full',
        attempts: 30,
        diagnosis: refusal('full', '4.2.2', 452, 'over quota'),
      });
      await kit.interaction(id, 'deferral', 'over quota');
      return { email: id };
    },
    { verdict: 'FAILED', cause: 'gave_up', action: 'none', says: 'over quota' },
  ],
  [
    'refused for now at first, then for good',
    async (kit) => {
      const id = await kit.email(await kit.contact(), {
        status: 'FAILED',
        error: '550 no such user',
        attempts: 3,
        diagnosis: refusal('no_mailbox', '5.1.1', 550, 'no such user'),
      });
      await kit.interaction(id, 'deferral', 'greylisted');
      return { email: id };
    },
    { verdict: 'FAILED', cause: 'no_mailbox', action: 'contacts.update', says: 'no such user' },
  ],
  [
    'the daily limit, of a campaign that was retried',
    async (kit) => ({
      email: await kit.email(await kit.contact(), {
        status: 'FAILED',
        error: 'daily limit of a new project exceeded',
        sourceType: 'CAMPAIGN',
        campaignId: await kit.sent(),
      }),
    }),
    { verdict: 'FAILED', cause: 'daily_limit', action: 'none' },
  ],
];

const contacts: Case[] = [
  [
    'whose suppression has ended, and is about to be removed',
    async (kit) => {
      const contact = await kit.contact();
      await kit.suppress(contact.email, { expiresAt: ago(10) });
      return { contact: contact.id };
    },
    { verdict: 'UNREACHABLE', cause: 'suppressed', action: 'none' },
  ],
  [
    'suppressed for some weeks',
    async (kit) => {
      const contact = await kit.contact();
      await kit.suppress(contact.email, { expiresAt: ahead(9_000) });
      return { contact: contact.id };
    },
    { verdict: 'UNREACHABLE', cause: 'suppressed', action: 'contacts.deleteSuppression' },
  ],
  [
    'subscribed again after an opt-out',
    async (kit) => {
      const contact = await kit.contact({ subscribed: true, subscriptionChangedAt: ago(20) });
      await kit.event(contact.id, 'contact.unsubscribed', ago(90), { reason: 'page' });
      await kit.event(contact.id, 'contact.subscribed', ago(20), { reason: 'page' });
      return { contact: contact.id };
    },
    { verdict: 'REACHABLE', cause: null, action: null },
  ],
  [
    'a mistyped address beside one that unsubscribed',
    async (kit) => {
      const at = ago(90);
      await kit.contact({
        email: 'ann.lee@people.test',
        subscribed: false,
        optedOutAt: at,
        subscriptionChangedAt: at,
      });
      return { contact: 'ann.le@people.test' };
    },
    { verdict: 'REACHABLE', cause: null, action: null, says: 'No contact' },
  ],
  [
    'an address without a contact, of a project whose payment failed',
    async (kit) => {
      await disable(kit, 'PAYMENT_FAILED', ago(40));
      return { contact: 'nobody@people.test' };
    },
    { verdict: 'UNREACHABLE', cause: 'project_disabled', action: 'billing.portal' },
  ],
  [
    'the simulator’s suppressed address',
    async (kit) => ({ contact: (await kit.contact({ email: 'suppressed@postrider.test' })).id }),
    { verdict: 'UNREACHABLE', cause: 'suppressed', action: 'none' },
  ],
  [
    'paused by itself, and on the list after a complaint',
    async (kit) => {
      const contact = await kit.contact({
        subscribed: false,
        snoozedUntil: ahead(900),
        subscriptionChangedAt: ago(9),
      });
      await kit.suppress(contact.email, { reason: 'COMPLAINT' });
      return { contact: contact.id };
    },
    { verdict: 'UNREACHABLE', cause: 'suppressed', action: 'none' },
  ],
  [
    'suppressed, of a project that is disabled as well',
    async (kit) => {
      await disable(kit, 'MANUAL', ago(9));
      const contact = await kit.contact();
      await kit.suppress(contact.email);
      return { contact: contact.id };
    },
    { verdict: 'UNREACHABLE', cause: 'project_disabled', action: 'none' },
  ],
  [
    'with an invalid address that is suppressed as well',
    async (kit) => {
      const contact = await kit.contact({ email: 'no address at all' });
      await kit.suppress(contact.email);
      return { contact: contact.id };
    },
    { verdict: 'UNREACHABLE', cause: 'invalid', action: 'contacts.update' },
  ],
  [
    'unsubscribed by an import, by an external id with a slash',
    async (kit) => {
      const contact = await kit.contact({
        externalId: 'crm/7 é',
        subscribed: false,
        subscriptionChangedAt: ago(9),
      });
      await kit.event(contact.id, 'contact.unsubscribed', ago(9), { reason: 'import' });
      return { contact: 'ext:crm/7 é' };
    },
    { verdict: 'PARTLY', cause: 'unsubscribed', action: 'none', says: 'by an import' },
  ],
  [
    'an address without a contact that opted out once, and is suppressed by hand',
    async (kit) => {
      const address = 'was@people.test';
      await kit.db.optOut.create({
        data: {
          projectId: kit.projectId,
          addressHash: Uint8Array.from(kit.test.services.secrets.addressHash(kit.projectId, address)),
        },
      });
      await kit.suppress(address, { reason: 'MANUAL' });
      return { contact: address };
    },
    { verdict: 'UNREACHABLE', cause: 'suppressed', action: 'contacts.deleteSuppression' },
  ],
  [
    'of a project that was disabled and is not any more',
    async (kit) => {
      await disable(kit, 'PAYMENT_FAILED', ago(900), ago(800));
      return { contact: (await kit.contact()).id };
    },
    { verdict: 'REACHABLE', cause: null, action: null },
  ],
];

const campaigns: Case[] = [
  [
    'created after the freeze, and unsubscribed: a second campaign would not reach it either',
    async (kit) => {
      const contact = await kit.contact({
        createdAt: ago(30),
        subscribed: false,
        optedOutAt: ago(10),
        subscriptionChangedAt: ago(10),
      });
      await kit.event(contact.id, 'contact.unsubscribed', ago(10), { reason: 'page' });
      return { contact: contact.id, campaign: await kit.sent() };
    },
    { verdict: 'NOT_CREATED', cause: 'created_after_freeze', action: 'none' },
  ],
  [
    'with two filters that do not match',
    async (kit) => ({
      contact: (await kit.contact({ data: { plan: 'free', seats: 1 }, updatedAt: ago(500) })).id,
      campaign: await kit.sent({
        audienceType: 'FILTERED',
        audienceCondition: json({
          logic: 'AND',
          groups: [
            {
              filters: [
                { field: 'data.seats', operator: 'greaterThan', value: 4 },
                { field: 'data.plan', operator: 'equals', value: 'pro' },
              ],
            },
          ],
        }),
      }),
    }),
    {
      verdict: 'NOT_CREATED',
      cause: 'not_in_audience',
      action: 'campaigns.duplicate',
      says: 'data.seats greaterThan 4, and the contact has 1',
    },
  ],
  [
    'transactional, so that being unsubscribed is no reason',
    async (kit) => {
      const contact = await optedOut(kit, 'page', ago(200));
      return {
        contact: contact.id,
        campaign: await kit.sent({
          type: 'TRANSACTIONAL',
          audienceType: 'FILTERED',
          audienceCondition: tree('data.plan', 'equals', 'pro'),
        }),
      };
    },
    { verdict: 'NOT_CREATED', cause: 'not_in_audience', action: 'campaigns.duplicate' },
  ],
  [
    'cancelled half way, with an email that was still waiting',
    async (kit) => {
      const contact = await kit.contact();
      const campaign = await kit.sent({ status: 'CANCELLED' });
      await kit.audit('campaigns.cancel', campaign, ago(30), ['status']);
      await kit.email(contact, {
        status: 'SKIPPED',
        reason: 'cancelled',
        sourceType: 'CAMPAIGN',
        campaignId: campaign,
      });
      return { contact: contact.id, campaign };
    },
    { verdict: 'SKIPPED', cause: 'cancelled', action: 'campaigns.createSequel', outcome: 'stopped' },
  ],
  [
    'whose email is behind others of the project',
    async (kit) => {
      const contact = await kit.contact();
      const campaign = await kit.sent({ status: 'SENDING' });
      await kit.waiting(await kit.contact(), {}, { nextAttemptAt: ago(5) });
      await kit.waiting(
        contact,
        { sourceType: 'CAMPAIGN', campaignId: campaign },
        { nextAttemptAt: ago(4), campaignId: campaign, priority: 3 },
      );
      return { contact: contact.id, campaign };
    },
    { verdict: 'WAITING', cause: 'queue', action: 'none', heldBy: 'queue', outcome: 'waiting' },
  ],
  [
    'from whose segment the contact had been taken before',
    async (kit) => {
      const contact = await kit.contact({ updatedAt: ago(500) });
      const segmentId = await kit.segment({ type: 'STATIC' });
      await kit.db.segmentMembership.create({
        data: {
          projectId: kit.projectId,
          segmentId,
          contactId: contact.id,
          enteredAt: ago(400),
          exitedAt: ago(100),
        },
      });
      return { contact: contact.id, campaign: await kit.sent({ audienceType: 'SEGMENT', segmentId }) };
    },
    { verdict: 'NOT_CREATED', cause: 'not_in_audience', action: 'campaigns.duplicate', outcome: 'stopped' },
  ],
  [
    'whose email was marked as spam',
    async (kit) => {
      const contact = await kit.contact();
      const campaign = await kit.sent();
      const id = await kit.email(contact, {
        status: 'COMPLAINED',
        sentAt: ago(50),
        complainedAt: ago(20),
        sourceType: 'CAMPAIGN',
        campaignId: campaign,
      });
      await kit.interaction(id, 'complaint', 'abuse', ago(20));
      return { contact: contact.id, campaign };
    },
    { verdict: 'DELIVERED', cause: 'complained', action: 'none' },
  ],
  [
    'created after the freeze, and suppressed: first the address has to work',
    async (kit) => {
      const contact = await kit.contact({ createdAt: ago(30) });
      await kit.suppress(contact.email, { createdAt: ago(20) });
      return { contact: contact.id, campaign: await kit.sent() };
    },
    { verdict: 'NOT_CREATED', cause: 'created_after_freeze', action: 'contacts.deleteSuppression' },
  ],
  [
    'not in its audience, and unsubscribed since',
    async (kit) => {
      const contact = await kit.contact({
        data: { plan: 'free' },
        subscribed: false,
        optedOutAt: ago(10),
        subscriptionChangedAt: ago(10),
        updatedAt: ago(10),
      });
      await kit.event(contact.id, 'contact.unsubscribed', ago(10), { reason: 'page' });
      return {
        contact: contact.id,
        campaign: await kit.sent({
          audienceType: 'FILTERED',
          audienceCondition: tree('data.plan', 'equals', 'pro'),
        }),
      };
    },
    { verdict: 'NOT_CREATED', cause: 'not_in_audience', action: 'none', outcome: 'unknown' },
  ],
  [
    'for those of an event that nobody ever had',
    async (kit) => ({
      contact: (await kit.contact({ updatedAt: ago(500) })).id,
      campaign: await kit.sent({
        audienceType: 'FILTERED',
        audienceCondition: tree('event.bougth', 'triggered'),
      }),
    }),
    {
      verdict: 'NOT_CREATED',
      cause: 'not_in_audience',
      action: 'campaigns.duplicate',
      says: 'event.bougth triggered, and the contact has nothing',
    },
  ],
  [
    'scheduled, while the contact is suppressed',
    async (kit) => {
      const contact = await kit.contact();
      await kit.suppress(contact.email);
      return {
        contact: contact.id,
        campaign: await kit.campaign({ status: 'SCHEDULED', scheduledFor: ahead(60) }),
      };
    },
    { verdict: 'NOT_CREATED', cause: 'not_started', action: 'campaigns.send', outcome: 'waiting' },
  ],
  [
    'cancelled after the freeze, and the contact came later',
    async (kit) => ({
      contact: (await kit.contact({ createdAt: ago(5) })).id,
      campaign: await kit.sent({ status: 'CANCELLED' }),
    }),
    { verdict: 'NOT_CREATED', cause: 'created_after_freeze', action: 'campaigns.duplicate' },
  ],
  [
    'being frozen in parts, and the contact was created after the start',
    async (kit) => ({
      contact: (await kit.contact({ createdAt: ago(1) })).id,
      campaign: await kit.campaign({
        status: 'SENDING',
        sentAt: ago(3),
        frozenAt: ago(2),
        frozenToCreatedAt: ago(500),
        frozenToId: newId(),
      }),
    }),
    { verdict: 'NOT_CREATED', cause: 'created_after_freeze', action: 'campaigns.duplicate' },
  ],
  [
    'during a pause of the contact',
    async (kit) => {
      const contact = await kit.contact({
        subscribed: false,
        snoozedUntil: ahead(900),
        subscriptionChangedAt: ago(100),
      });
      await kit.event(contact.id, 'contact.unsubscribed', ago(100), {
        reason: 'page',
        snoozedUntil: ahead(900).toISOString(),
      });
      return { contact: contact.id, campaign: await kit.sent() };
    },
    { verdict: 'NOT_CREATED', cause: 'not_subscribed_then', action: 'none' },
  ],
  [
    'of which emails were removed for their age',
    async (kit) => {
      const campaign = await kit.sent();
      await kit.db.expiredEmails.create({
        data: { scopeId: campaign, counter: 'emails', projectId: kit.projectId, count: 3 },
      });
      return { contact: (await kit.contact({ updatedAt: ago(500) })).id, campaign };
    },
    { verdict: 'NOT_CREATED', cause: 'unknown', action: 'none', says: 'no longer stored' },
  ],
  [
    'whose segment was deleted since',
    async (kit) => ({
      contact: (await kit.contact({ updatedAt: ago(500) })).id,
      campaign: await kit.sent({ audienceType: 'SEGMENT', segmentId: newId() }),
    }),
    { verdict: 'NOT_CREATED', cause: 'not_in_audience', action: 'campaigns.duplicate', says: 'was deleted' },
  ],
  [
    'without links to leave, which needs a subscription all the same',
    async (kit) => ({
      contact: (await kit.contact({ subscribed: false })).id,
      campaign: await kit.sent({ type: 'HEADLESS' }),
    }),
    { verdict: 'NOT_CREATED', cause: 'not_subscribed_then', action: 'none' },
  ],
  [
    'whose email may have been delivered',
    async (kit) => {
      const contact = await kit.contact();
      const campaign = await kit.sent();
      await kit.email(contact, {
        status: 'UNCERTAIN',
        uncertainAt: ago(40),
        sourceType: 'CAMPAIGN',
        campaignId: campaign,
      });
      return { contact: contact.id, campaign };
    },
    { verdict: 'UNCERTAIN', cause: 'uncertain', action: 'campaigns.retry' },
  ],
];

const workflows: Case[] = [
  [
    'disabled now, while the contact still waits in it',
    async (kit) => {
      const contact = await kit.contact();
      const { id, delay } = await kit.workflow({ enabled: false });
      const execution = await kit.execution(id, contact.id, {
        status: 'WAITING',
        completedAt: null,
        currentStepId: delay,
        dueAt: ahead(100),
      });
      await kit.run(execution, delay, { status: 'SCHEDULED', completedAt: null, scheduledFor: ahead(100) });
      return { contact: contact.id, workflow: id };
    },
    { verdict: 'ENTERED', cause: 'waiting', action: 'none', outcome: 'waiting' },
  ],
  [
    'whose step failed after an email of it was skipped',
    async (kit) => {
      const contact = await kit.contact();
      await kit.suppress(contact.email);
      const { id, send, delay } = await kit.workflow();
      const execution = await kit.execution(id, contact.id, {
        status: 'FAILED',
        currentStepId: delay,
        exitReason: 'The step has no valid configuration',
      });
      const step = await kit.run(execution, send);
      await kit.run(execution, delay, { status: 'FAILED', error: 'The step has no valid configuration' });
      await kit.email(contact, {
        status: 'SKIPPED',
        reason: 'suppressed',
        sourceType: 'WORKFLOW',
        workflowExecutionId: execution,
        workflowStepExecutionId: step,
      });
      return { contact: contact.id, workflow: id };
    },
    { verdict: 'ENTERED', cause: 'step_failed', action: 'workflows.updateStep', outcome: 'stopped' },
  ],
  [
    'that an EXIT step ended after its email had bounced',
    async (kit) => {
      const contact = await kit.contact();
      const { id, send } = await kit.workflow();
      const execution = await kit.execution(id, contact.id, { status: 'EXITED', exitReason: 'done' });
      const step = await kit.run(execution, send);
      await kit.email(contact, {
        status: 'BOUNCED',
        sentAt: ago(58),
        bouncedAt: ago(55),
        diagnosis: refusal('no_mailbox', '5.1.1', 550, 'unknown user'),
        sourceType: 'WORKFLOW',
        workflowExecutionId: execution,
        workflowStepExecutionId: step,
      });
      return { contact: contact.id, workflow: id };
    },
    { verdict: 'ENTERED', cause: 'no_mailbox', action: 'contacts.update', says: 'unknown user' },
  ],
  [
    'in which an older run failed, and the newest went through',
    async (kit) => {
      const contact = await kit.contact();
      const { id, send, trigger } = await kit.workflow({ allowReentry: true });
      const old = await kit.execution(id, contact.id, {
        status: 'FAILED',
        currentStepId: send,
        startedAt: ago(300),
        createdAt: ago(300),
        completedAt: ago(290),
        exitReason: 'x',
      });
      await kit.run(old, send, { status: 'FAILED', error: 'x' });
      await kit.run(await kit.execution(id, contact.id, { status: 'COMPLETED' }), trigger);
      return { contact: contact.id, workflow: id };
    },
    { verdict: 'ENTERED', cause: 'ended', action: 'none' },
  ],
  [
    'with one email that was skipped, and a later one that arrived',
    async (kit) => {
      const contact = await kit.contact();
      const { id, send } = await kit.workflow();
      const execution = await kit.execution(id, contact.id, { status: 'COMPLETED' });
      const step = await kit.run(execution, send);
      const of = {
        sourceType: 'WORKFLOW',
        workflowExecutionId: execution,
        workflowStepExecutionId: step,
      } as const;
      await kit.email(contact, { ...of, status: 'SKIPPED', reason: 'sandbox', createdAt: ago(58) });
      const later = await kit.run(execution, newId());
      await kit.email(contact, {
        ...of,
        workflowStepExecutionId: later,
        status: 'DELIVERED',
        sentAt: ago(51),
        createdAt: ago(52),
      });
      return { contact: contact.id, workflow: id };
    },
    { verdict: 'ENTERED', cause: 'sandbox', action: 'domains.create' },
  ],
  [
    'in which the contact waits for an event',
    async (kit) => {
      const contact = await kit.contact();
      const { id, trigger } = await kit.workflow();
      const wait = newId();
      await kit.db.workflowStep.create({
        data: {
          id: wait,
          projectId: kit.projectId,
          workflowId: id,
          type: 'WAIT_FOR_EVENT',
          name: 'Bought?',
          config: { eventName: 'bought' },
          textReads: [],
        },
      });
      const execution = await kit.execution(id, contact.id, {
        status: 'WAITING',
        completedAt: null,
        currentStepId: wait,
      });
      await kit.run(execution, trigger);
      await kit.run(execution, wait, { status: 'WAITING', completedAt: null });
      return { contact: contact.id, workflow: id };
    },
    {
      verdict: 'ENTERED',
      cause: 'waiting',
      action: 'events.record',
      outcome: 'waiting',
      says: 'bought',
    },
  ],
  [
    'whose event came under a mistyped name, and for somebody else',
    async (kit) => {
      const contact = await kit.contact();
      await kit.event(contact.id, 'Signup', ago(20), {}, 'CUSTOM');
      await kit.event((await kit.contact()).id, 'signup', ago(20), {}, 'CUSTOM');
      return { contact: contact.id, workflow: (await kit.workflow()).id };
    },
    { verdict: 'NOT_ENTERED', cause: 'no_event', action: 'events.record' },
  ],
  [
    'whose first event came too early, and a second is queued',
    async (kit) => {
      const contact = await kit.contact();
      await kit.event(contact.id, 'signup', ago(400), {}, 'CUSTOM');
      const eventId = await kit.event(contact.id, 'signup', ago(0.2), {}, 'CUSTOM');
      await kit.db.eventDispatch.create({ data: { eventId, projectId: kit.projectId } });
      return { contact: contact.id, workflow: (await kit.workflow()).id };
    },
    { verdict: 'NOT_ENTERED', cause: 'event_queued', action: 'none', outcome: 'waiting' },
  ],
  [
    'that the contact left by a failure, and whose event came again',
    async (kit) => {
      const contact = await kit.contact();
      const { id, send } = await kit.workflow();
      const execution = await kit.execution(id, contact.id, {
        status: 'FAILED',
        currentStepId: send,
        exitReason: 'x',
      });
      await kit.run(execution, send, { status: 'FAILED', error: 'x' });
      await kit.event(contact.id, 'signup', ago(5), {}, 'CUSTOM');
      return { contact: contact.id, workflow: id };
    },
    { verdict: 'NOT_ENTERED', cause: 'reentry_blocked', action: 'workflows.update' },
  ],
  [
    'by hand, and disabled',
    async (kit) => ({
      contact: (await kit.contact()).id,
      workflow: (await kit.workflow({ triggerType: 'MANUAL', triggerConfig: {}, enabled: false })).id,
    }),
    { verdict: 'NOT_ENTERED', cause: 'not_enabled', action: 'workflows.update' },
  ],
  [
    'by a schedule that has not found the contact',
    async (kit) => ({
      contact: (await kit.contact()).id,
      workflow: (
        await kit.workflow({
          triggerType: 'SCHEDULE',
          triggerConfig: { cron: '0 9 * * 1', timezone: 'UTC' },
        })
      ).id,
    }),
    { verdict: 'NOT_ENTERED', cause: 'no_event', action: 'workflows.startExecution' },
  ],
  [
    'by an event that only Postrider reports',
    async (kit) => ({
      contact: (await kit.contact()).id,
      workflow: (await kit.workflow({ triggerConfig: { eventName: 'email.opened' } })).id,
    }),
    { verdict: 'NOT_ENTERED', cause: 'no_event', action: 'workflows.startExecution' },
  ],
  [
    'whose executions were all cancelled',
    async (kit) => {
      const contact = await kit.contact();
      const { id } = await kit.workflow();
      await kit.execution(id, contact.id, { status: 'CANCELLED', exitReason: 'Cancelled by user' });
      await kit.audit('workflows.cancelAllExecutions', id, ago(50), ['status']);
      return { contact: contact.id, workflow: id };
    },
    {
      verdict: 'ENTERED',
      cause: 'cancelled',
      action: 'workflows.startExecution',
      says: 'All executions of the workflow',
    },
  ],
  [
    'in which the contact waits after an email of it has bounced',
    async (kit) => {
      const contact = await kit.contact();
      const { id, send, delay } = await kit.workflow();
      const execution = await kit.execution(id, contact.id, {
        status: 'WAITING',
        completedAt: null,
        currentStepId: delay,
        dueAt: ahead(90),
      });
      await kit.email(contact, {
        status: 'BOUNCED',
        sentAt: ago(50),
        bouncedAt: ago(40),
        diagnosis: refusal('full', '4.2.2', 452, 'no room'),
        sourceType: 'WORKFLOW',
        workflowExecutionId: execution,
        workflowStepExecutionId: await kit.run(execution, send),
      });
      return { contact: contact.id, workflow: id };
    },
    { verdict: 'ENTERED', cause: 'waiting', action: 'none', outcome: 'waiting', says: 'is BOUNCED' },
  ],
  [
    'entered again, and running',
    async (kit) => {
      const contact = await kit.contact();
      const { id, trigger, condition } = await kit.workflow({ allowReentry: true });
      await kit.execution(id, contact.id, {
        status: 'EXITED',
        exitReason: 'exit_step',
        startedAt: ago(300),
        createdAt: ago(300),
        completedAt: ago(290),
      });
      const execution = await kit.execution(id, contact.id, {
        status: 'RUNNING',
        completedAt: null,
        currentStepId: condition,
      });
      await kit.run(execution, trigger);
      return { contact: contact.id, workflow: id };
    },
    { verdict: 'ENTERED', cause: 'waiting', action: 'none', says: 'An earlier execution ended as EXITED' },
  ],
  [
    'that an EXIT step without a reason ended',
    async (kit) => {
      const contact = await kit.contact();
      const { id } = await kit.workflow();
      await kit.execution(id, contact.id, { status: 'EXITED', exitReason: 'exit_step' });
      return { contact: contact.id, workflow: id };
    },
    { verdict: 'ENTERED', cause: 'exited', action: 'none', says: 'An EXIT step ended it' },
  ],
  [
    'whose wait timed out, past the email for those who came',
    async (kit) => {
      const contact = await kit.contact();
      const { id, send } = await kit.workflow();
      const wait = newId();
      await kit.db.workflowStep.create({
        data: {
          id: wait,
          projectId: kit.projectId,
          workflowId: id,
          type: 'WAIT_FOR_EVENT',
          name: 'Came?',
          config: { eventName: 'came', timeout: 60 },
          textReads: [],
        },
      });
      await kit.db.workflowTransition.create({
        data: {
          id: newId(),
          projectId: kit.projectId,
          workflowId: id,
          fromStepId: wait,
          toStepId: send,
          waitOutcome: 'EVENT',
        },
      });
      const execution = await kit.execution(id, contact.id, { status: 'COMPLETED' });
      await kit.run(execution, wait, { output: { waitOutcome: 'TIMEOUT' } });
      return { contact: contact.id, workflow: id };
    },
    { verdict: 'ENTERED', cause: 'branch', action: 'workflows.updateStep', says: 'TIMEOUT' },
  ],
  [
    'whose request to another service failed',
    async (kit) => {
      const contact = await kit.contact();
      const { id, delay } = await kit.workflow();
      await kit.db.workflowStep.update({ where: { id: delay }, data: { type: 'WEBHOOK', name: 'Tell CRM' } });
      const execution = await kit.execution(id, contact.id, {
        status: 'FAILED',
        currentStepId: delay,
        exitReason: 'HTTP 500',
      });
      await kit.run(execution, delay, { status: 'FAILED', error: 'HTTP 500' });
      return { contact: contact.id, workflow: id };
    },
    { verdict: 'ENTERED', cause: 'step_failed', action: 'workflows.updateStep', says: 'HTTP 500' },
  ],
  [
    'whose email may have been delivered',
    async (kit) => {
      const contact = await kit.contact();
      const { id, send } = await kit.workflow();
      const execution = await kit.execution(id, contact.id, { status: 'COMPLETED' });
      await kit.email(contact, {
        status: 'UNCERTAIN',
        uncertainAt: ago(40),
        autoResent: true,
        sourceType: 'WORKFLOW',
        workflowExecutionId: execution,
        workflowStepExecutionId: await kit.run(execution, send),
      });
      return { contact: contact.id, workflow: id };
    },
    { verdict: 'ENTERED', cause: 'uncertain', action: 'none', outcome: 'unknown' },
  ],
];

const segments: Case[] = [
  [
    'two filters that do not match, in groups of which one would do',
    async (kit) => ({
      contact: (await kit.contact({ data: { plan: 'free' } })).id,
      segment: await kit.segment({
        condition: json({
          logic: 'OR',
          groups: [
            { filters: [{ field: 'data.plan', operator: 'equals', value: 'pro' }] },
            { filters: [{ field: 'data.plan', operator: 'equals', value: 'team' }] },
          ],
        }),
      }),
    }),
    {
      verdict: 'NOT_MEMBER',
      cause: 'filter',
      action: 'segments.update',
      says: 'data.plan equals "team", and the contact has "free"',
    },
  ],
  [
    'a field that the contact does not have',
    async (kit) => ({
      contact: (await kit.contact({ data: { paln: 'pro' } })).id,
      segment: await kit.segment({ condition: tree('data.plan', 'exists') }),
    }),
    {
      verdict: 'NOT_MEMBER',
      cause: 'filter',
      action: 'segments.update',
      says: 'data.plan exists, and the contact has nothing',
    },
  ],
  [
    'a tracked one whose members were not computed since the contact stopped to match',
    async (kit) => {
      const contact = await kit.contact({ data: { seats: 1 } });
      const segment = await kit.segment({
        trackMembership: true,
        computedAt: ago(9),
        condition: tree('data.seats', 'greaterThan', 5),
      });
      await kit.db.segmentMembership.create({
        data: { projectId: kit.projectId, segmentId: segment, contactId: contact.id, enteredAt: ago(50) },
      });
      return { contact: contact.id, segment };
    },
    { verdict: 'NOT_MEMBER', cause: 'filter', action: 'segments.update', outcome: 'waiting' },
  ],
  [
    'a list to which the contact came back',
    async (kit) => {
      const contact = await kit.contact({ externalId: 'back' });
      const segment = await kit.segment({ type: 'STATIC' });
      await kit.db.segmentMembership.create({
        data: { projectId: kit.projectId, segmentId: segment, contactId: contact.id, enteredAt: ago(2) },
      });
      return { contact: 'ext:back', segment };
    },
    { verdict: 'MEMBER', cause: null, action: null },
  ],
  [
    'a tracked one that cannot be computed',
    async (kit) => ({
      contact: (await kit.contact({ data: { seats: 7 } })).id,
      segment: await kit.segment({
        trackMembership: true,
        computedAt: ago(90),
        failedReason: 'The condition takes more than 10 s',
        condition: tree('data.seats', 'greaterThan', 5),
      }),
    }),
    { verdict: 'NOT_MEMBER', cause: 'not_computed', action: 'segments.update', outcome: 'waiting' },
  ],
  [
    'a tracked one that has the contact, which matches',
    async (kit) => {
      const contact = await kit.contact({ data: { seats: 7 } });
      const segment = await kit.segment({
        trackMembership: true,
        computedAt: ago(9),
        condition: tree('data.seats', 'greaterThan', 5),
      });
      await kit.db.segmentMembership.create({
        data: { projectId: kit.projectId, segmentId: segment, contactId: contact.id, enteredAt: ago(50) },
      });
      return { contact: contact.id, segment };
    },
    { verdict: 'MEMBER', cause: null, action: null },
  ],
  [
    'a condition on the subscription, which the contact has ended itself',
    async (kit) => ({
      contact: (await optedOut(kit, 'page')).id,
      segment: await kit.segment({ condition: tree('subscribed', 'equals', true) }),
    }),
    {
      verdict: 'NOT_MEMBER',
      cause: 'filter',
      action: 'segments.update',
      says: 'subscribed equals true, and the contact has false',
    },
  ],
  [
    'a text with a blank that the filter does not have',
    async (kit) => ({
      contact: (await kit.contact({ data: { city: 'berlin ' } })).id,
      segment: await kit.segment({ condition: tree('data.city', 'equals', 'berlin') }),
    }),
    {
      verdict: 'NOT_MEMBER',
      cause: 'filter',
      action: 'segments.update',
      says: 'data.city equals "berlin", and the contact has "berlin "',
    },
  ],
];

describe('an email', () => {
  it.each(emails)('%s', (_what, plant, expected) => check(plant, expected));
});
describe('a contact alone', () => {
  it.each(contacts)('%s', (_what, plant, expected) => check(plant, expected));
});
describe('a contact and a campaign', () => {
  it.each(campaigns)('%s', (_what, plant, expected) => check(plant, expected));
});
describe('a contact and a workflow', () => {
  it.each(workflows)('%s', (_what, plant, expected) => check(plant, expected));
});
describe('a contact and a segment', () => {
  it.each(segments)('%s', (_what, plant, expected) => check(plant, expected));
});
