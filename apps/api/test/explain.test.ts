import { newId } from '@postrider/core/base/lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askRest, type Case, createCheck } from './explain-check.ts';
import { ago, ahead, json, Kit, refusal, tree } from './explain-kit.ts';
import { startApp, type TestApp } from './harness.ts';

let test: TestApp;
let check: ReturnType<typeof createCheck>;
beforeAll(async () => {
  test = await startApp({ RATE_LIMIT_PER_MINUTE: '1000000' });
  check = createCheck(test);
});
afterAll(() => test.close());

/** The causes of a campaign, a person and so on are planted in a project of their own, so that none sees another. */
const emails: Case[] = [
  [
    'delivered',
    async (kit) => ({
      email: await kit.email(await kit.contact(), {
        status: 'DELIVERED',
        sentAt: ago(50),
        deliveredAt: ago(49),
      }),
    }),
    { verdict: 'DELIVERED', cause: null, action: null },
  ],
  [
    'clicked',
    async (kit) => ({
      email: await kit.email(await kit.contact(), {
        status: 'CLICKED',
        sentAt: ago(50),
        openedAt: ago(40),
        clickedAt: ago(39),
      }),
    }),
    { verdict: 'DELIVERED', cause: null, action: null },
  ],
  [
    'accepted by the server alone',
    async (kit) => ({ email: await kit.email(await kit.contact(), { status: 'SENT', sentAt: ago(50) }) }),
    { verdict: 'SENT', cause: null, action: null },
  ],
  [
    'marked as spam',
    async (kit) => {
      const id = await kit.email(await kit.contact(), {
        status: 'COMPLAINED',
        sentAt: ago(50),
        complainedAt: ago(20),
      });
      await kit.interaction(id, 'complaint', 'abuse report', ago(20));
      return { email: id };
    },
    { verdict: 'DELIVERED', cause: 'complained', action: 'none' },
  ],
  [
    'about to be sent',
    async (kit) => ({ email: await kit.waiting(await kit.contact()) }),
    { verdict: 'WAITING', cause: null, action: null },
  ],
  [
    'being sent',
    async (kit) => ({
      email: await kit.waiting(
        await kit.contact(),
        {},
        { token: newId(), worker: 'w', leaseUntil: ahead(1) },
      ),
    }),
    { verdict: 'WAITING', cause: null, action: null },
  ],
  [
    'scheduled',
    async (kit) => ({
      email: await kit.waiting(await kit.contact(), { scheduledAt: ahead(60) }, { nextAttemptAt: ahead(60) }),
    }),
    {
      verdict: 'WAITING',
      cause: 'schedule',
      action: 'sending.reschedule',
      heldBy: 'schedule',
      outcome: 'waiting',
    },
  ],
  [
    'deferred',
    async (kit) => {
      const id = await kit.waiting(
        await kit.contact(),
        { attempts: 2, error: '451 busy', diagnosis: refusal('unreachable', '4.3.2', 451, 'busy') },
        { nextAttemptAt: ahead(5), again: true },
      );
      await kit.interaction(id, 'deferral', 'greylisted', ago(8));
      await kit.interaction(id, 'deferral', 'busy', ago(3));
      return { email: id };
    },
    {
      verdict: 'WAITING',
      cause: 'retry',
      action: 'none',
      heldBy: 'retry',
      outcome: 'waiting',
      says: 'greylisted',
    },
  ],
  [
    'behind other email',
    async (kit) => {
      const contact = await kit.contact();
      await kit.waiting(contact, {}, { nextAttemptAt: ago(3) });
      return { email: await kit.waiting(contact, {}, { nextAttemptAt: ago(2) }) };
    },
    { verdict: 'WAITING', cause: 'queue', action: 'none', heldBy: 'queue', outcome: 'waiting' },
  ],
  [
    'of the rest of a test',
    async (kit) => {
      const campaignId = await kit.campaign({
        ...{ status: 'SENDING', sentAt: ago(60), frozenAt: ago(59), wave: 1, testState: 'RUNNING' },
        test: { variants: [{ subject: 'B' }], sample: 20, metric: 'CLICKS', hours: 4, decide: 'MANUAL' },
      });
      const email = { campaignId, sourceType: 'CAMPAIGN', variant: 0 } as const;
      return { email: await kit.waiting(await kit.contact(), email, { campaignId, held: true, wave: 2 }) };
    },
    {
      verdict: 'WAITING',
      cause: 'test',
      action: 'campaigns.decideTest',
      heldBy: 'test',
      outcome: 'waiting',
    },
  ],
  [
    'of a paused campaign',
    async (kit) => {
      const campaignId = await kit.campaign({
        ...{ status: 'SENDING', sentAt: ago(60), frozenAt: ago(59), pausedAt: ago(5), pauseReason: 'user' },
      });
      await kit.audit('campaigns.pause', campaignId, ago(5), ['pausedAt']);
      const email = { campaignId, sourceType: 'CAMPAIGN' } as const;
      return { email: await kit.waiting(await kit.contact(), email, { campaignId, held: true }) };
    },
    {
      verdict: 'WAITING',
      cause: 'paused',
      action: 'campaigns.resume',
      heldBy: 'paused',
      outcome: 'waiting',
    },
  ],
  [
    'waiting while its sender domain is paused',
    async (kit) => {
      await kit.pause('451 4.7.1 too many');
      return { email: await kit.waiting(await kit.contact()) };
    },
    {
      verdict: 'WAITING',
      cause: 'route',
      action: 'domains.health',
      heldBy: 'route',
      outcome: 'waiting',
      says: 'too many',
    },
  ],
  [
    'uncertain, to be sent once more',
    async (kit) => ({
      email: await kit.waiting(
        await kit.contact(),
        { status: 'UNCERTAIN', uncertainAt: ago(1), attempts: 1, autoResent: true },
        { nextAttemptAt: ahead(1) },
      ),
    }),
    { verdict: 'UNCERTAIN', cause: 'uncertain', action: 'none', heldBy: 'retry', outcome: 'unknown' },
  ],
  [
    'uncertain, of a campaign',
    async (kit) => ({
      email: await kit.email(await kit.contact(), {
        status: 'UNCERTAIN',
        uncertainAt: ago(30),
        sourceType: 'CAMPAIGN',
        campaignId: await kit.sent(),
      }),
    }),
    { verdict: 'UNCERTAIN', cause: 'uncertain', action: 'campaigns.retry', outcome: 'unknown' },
  ],
  [
    'skipped, suppressed by a bounce',
    async (kit) => {
      const contact = await kit.contact();
      const bounced = await kit.email(contact, {
        status: 'BOUNCED',
        sentAt: ago(200),
        bouncedAt: ago(190),
        diagnosis: refusal('no_mailbox', '5.1.1', 550, 'no such user'),
      });
      await kit.suppress(contact.email, { emailId: bounced });
      return { email: await kit.email(contact, { status: 'SKIPPED', reason: 'suppressed' }) };
    },
    { verdict: 'SKIPPED', cause: 'suppressed', action: 'contacts.deleteSuppression', outcome: 'stopped' },
  ],
  [
    'skipped, suppressed by a complaint',
    async (kit) => {
      const contact = await kit.contact();
      await kit.suppress(contact.email, { reason: 'COMPLAINT' });
      return { email: await kit.email(contact, { status: 'SKIPPED', reason: 'suppressed' }) };
    },
    { verdict: 'SKIPPED', cause: 'suppressed', action: 'none', outcome: 'stopped' },
  ],
  [
    'skipped, suppressed then and not now',
    async (kit) => ({
      email: await kit.email(await kit.contact(), { status: 'SKIPPED', reason: 'suppressed' }),
    }),
    { verdict: 'SKIPPED', cause: 'suppressed', action: 'none', outcome: 'unknown' },
  ],
  [
    'skipped at the simulator’s suppressed address',
    async (kit) => ({
      email: await kit.email(
        { ...(await kit.contact()), email: 'suppressed+1@postrider.test' },
        { status: 'SKIPPED', reason: 'suppressed' },
      ),
    }),
    { verdict: 'SKIPPED', cause: 'suppressed', action: 'none', outcome: 'stopped' },
  ],
  [
    'skipped after a one-click',
    async (kit) => {
      const contact = await kit.contact({
        subscribed: false,
        optedOutAt: ago(100),
        subscriptionChangedAt: ago(100),
      });
      await kit.event(contact.id, 'contact.unsubscribed', ago(100), { reason: 'one_click' });
      return { email: await kit.email(contact, { status: 'SKIPPED', reason: 'unsubscribed' }) };
    },
    {
      verdict: 'SKIPPED',
      cause: 'unsubscribed',
      action: 'none',
      outcome: 'stopped',
      says: 'unsubscribe button',
    },
  ],
  [
    'skipped after an unsubscription by an import',
    async (kit) => {
      const contact = await kit.contact({ subscribed: false, subscriptionChangedAt: ago(100) });
      await kit.event(contact.id, 'contact.unsubscribed', ago(100), { reason: 'import' });
      return { email: await kit.email(contact, { status: 'SKIPPED', reason: 'unsubscribed' }) };
    },
    { verdict: 'SKIPPED', cause: 'unsubscribed', action: 'none', outcome: 'stopped', says: 'by an import' },
  ],
  [
    'skipped during a pause that has ended since',
    async (kit) => {
      const contact = await kit.contact({ subscribed: true, subscriptionChangedAt: ago(5) });
      await kit.event(contact.id, 'contact.unsubscribed', ago(100), {
        reason: 'page',
        snoozedUntil: ago(5).toISOString(),
      });
      await kit.event(contact.id, 'contact.subscribed', ago(5), { reason: 'snooze_ended' });
      return { email: await kit.email(contact, { status: 'SKIPPED', reason: 'unsubscribed' }) };
    },
    { verdict: 'SKIPPED', cause: 'snoozed', action: 'none', outcome: 'stopped' },
  ],
  [
    'skipped, never subscribed',
    async (kit) => ({
      email: await kit.email(await kit.contact({ subscribed: false }), {
        status: 'SKIPPED',
        reason: 'unsubscribed',
      }),
    }),
    { verdict: 'SKIPPED', cause: 'never_subscribed', action: 'none', outcome: 'stopped' },
  ],
  [
    'skipped, subscribed now and nothing is stored',
    async (kit) => ({
      email: await kit.email(await kit.contact({ subscribed: true, subscriptionChangedAt: ago(3) }), {
        status: 'SKIPPED',
        reason: 'unsubscribed',
      }),
    }),
    { verdict: 'SKIPPED', cause: 'unsubscribed', action: 'none', outcome: 'unknown' },
  ],
  [
    'skipped, to another person who opted out before the contact was deleted',
    async (kit) => {
      const address = 'gone@people.test';
      await kit.db.optOut.create({
        data: {
          projectId: kit.projectId,
          addressHash: Uint8Array.from(kit.test.services.secrets.addressHash(kit.projectId, address)),
          byRecipient: true,
          createdAt: ago(300),
        },
      });
      return {
        email: await kit.email(
          { ...(await kit.contact()), email: address },
          { status: 'SKIPPED', reason: 'unsubscribed', toOther: true, sourceType: 'WORKFLOW' },
        ),
      };
    },
    { verdict: 'SKIPPED', cause: 'unsubscribed', action: 'none', outcome: 'stopped' },
  ],
  [
    'skipped by the sandbox',
    async (kit) => ({
      email: await kit.email(await kit.contact(), { status: 'SKIPPED', reason: 'sandbox' }),
    }),
    { verdict: 'SKIPPED', cause: 'sandbox', action: 'domains.create', outcome: 'stopped' },
  ],
  [
    'skipped by the daily limit of the sandbox',
    async (kit) => ({
      email: await kit.email(await kit.contact(), {
        status: 'SKIPPED',
        reason: 'sandbox',
        error: 'Confirm your address to send more than 5 test emails a day',
      }),
    }),
    { verdict: 'SKIPPED', cause: 'sandbox', action: 'domains.create', says: 'Confirm your address' },
  ],
  [
    'skipped, with an invalid address',
    async (kit) => ({
      email: await kit.email(await kit.contact({ email: 'no at' }), { status: 'SKIPPED', reason: 'invalid' }),
    }),
    { verdict: 'SKIPPED', cause: 'invalid', action: 'contacts.update', outcome: 'stopped' },
  ],
  [
    'skipped as a duplicate',
    async (kit) => ({
      email: await kit.email(await kit.contact(), {
        status: 'SKIPPED',
        reason: 'duplicate',
        sourceType: 'CAMPAIGN',
        campaignId: await kit.sent(),
      }),
    }),
    { verdict: 'SKIPPED', cause: 'duplicate', action: 'none', outcome: 'stopped' },
  ],
  [
    'cancelled by a person',
    async (kit) => {
      const id = await kit.email(await kit.contact(), { status: 'SKIPPED', reason: 'cancelled' });
      await kit.audit('sending.cancel', id, ago(30), ['status']);
      return { email: id };
    },
    { verdict: 'SKIPPED', cause: 'cancelled', action: 'sending.send', outcome: 'stopped' },
  ],
  [
    'cancelled with its campaign',
    async (kit) => {
      const campaignId = await kit.sent({ status: 'CANCELLED' });
      await kit.audit('campaigns.cancel', campaignId, ago(30), ['status']);
      return {
        email: await kit.email(await kit.contact(), {
          status: 'SKIPPED',
          reason: 'cancelled',
          sourceType: 'CAMPAIGN',
          campaignId,
        }),
      };
    },
    { verdict: 'SKIPPED', cause: 'cancelled', action: 'campaigns.createSequel', outcome: 'stopped' },
  ],
  [
    'cancelled with a campaign, by whom is not recorded',
    async (kit) => ({
      email: await kit.email(await kit.contact(), {
        status: 'SKIPPED',
        reason: 'cancelled',
        sourceType: 'CAMPAIGN',
        campaignId: await kit.sent({ status: 'CANCELLED' }),
      }),
    }),
    { verdict: 'SKIPPED', cause: 'cancelled', action: 'campaigns.createSequel', outcome: 'unknown' },
  ],
  [
    'cancelled, its contact deleted',
    async (kit) => ({ email: await kit.email(null, { status: 'SKIPPED', reason: 'cancelled' }) }),
    { verdict: 'SKIPPED', cause: 'cancelled', action: 'none', outcome: 'stopped' },
  ],
  [
    'cancelled by a reset',
    async (kit) => {
      await kit.db.projectRemoval.create({
        data: { id: newId(), projectId: kit.projectId, kind: 'RESET', before: ago(31), createdAt: ago(31) },
      });
      return { email: await kit.email(await kit.contact(), { status: 'SKIPPED', reason: 'cancelled' }) };
    },
    { verdict: 'SKIPPED', cause: 'cancelled', action: 'none', outcome: 'stopped' },
  ],
  [
    'cancelled, by what is not recorded',
    async (kit) => ({
      email: await kit.email(await kit.contact(), { status: 'SKIPPED', reason: 'cancelled' }),
    }),
    { verdict: 'SKIPPED', cause: 'cancelled', action: 'none', outcome: 'unknown' },
  ],
  [
    'skipped while the project was disabled',
    async (kit) => {
      await kit.db.suspension.create({
        data: {
          id: newId(),
          projectId: kit.projectId,
          reason: 'PAYMENT_FAILED',
          at: ago(40),
          liftedAt: ago(10),
        },
      });
      return {
        email: await kit.email(await kit.contact(), { status: 'SKIPPED', reason: 'project_disabled' }),
      };
    },
    { verdict: 'SKIPPED', cause: 'project_disabled', action: 'billing.portal', outcome: 'stopped' },
  ],
  [
    'skipped for a reason of an earlier version',
    async (kit) => ({ email: await kit.email(await kit.contact(), { status: 'SKIPPED', reason: 'of old' }) }),
    { verdict: 'SKIPPED', cause: 'unknown', action: 'none', outcome: 'unknown' },
  ],
  ...(
    [
      ['no_mailbox', '5.1.1', 550, 'contacts.update'],
      ['no_domain', '5.1.2', 550, 'contacts.update'],
      ['closed', '5.2.1', 550, 'contacts.update'],
      ['full', '5.2.2', 552, 'none'],
      ['unreachable', '5.4.6', 554, 'none'],
      ['blocked', '5.7.28', 550, 'domains.health'],
      ['authentication', '5.7.26', 550, 'domains.health'],
      ['content', '5.6.0', 554, 'templates.update'],
      ['too_large', '5.3.4', 552, 'templates.update'],
      ['policy', '5.7.2', 550, 'none'],
      ['other', '5.9.9', 550, 'none'],
    ] as const
  ).map(
    ([klass, code, reply, action]): Case => [
      `failed: ${klass}`,
      async (kit) => ({
        email: await kit.email(await kit.contact(), {
          status: 'FAILED',
          error: `${reply} ${code} says no`,
          diagnosis: refusal(klass, code, reply, 'says no'),
          templateId: newId(),
          attempts: 1,
        }),
      }),
      { verdict: 'FAILED', cause: klass, action, outcome: 'stopped', says: 'says no' },
    ],
  ),
  [
    'bounced',
    async (kit) => {
      const contact = await kit.contact();
      const id = await kit.email(contact, {
        status: 'BOUNCED',
        sentAt: ago(50),
        bouncedAt: ago(30),
        diagnosis: refusal('no_mailbox', '5.1.1', 550, 'unknown user'),
      });
      await kit.suppress(contact.email, { emailId: id });
      return { email: id };
    },
    {
      verdict: 'BOUNCED',
      cause: 'no_mailbox',
      action: 'contacts.update',
      outcome: 'stopped',
      says: 'unknown user',
    },
  ],
  [
    'refused for now for 72 hours',
    async (kit) => {
      const id = await kit.email(await kit.contact(), {
        status: 'FAILED',
        error: '451 later',
        attempts: 40,
        diagnosis: refusal('unreachable', '4.4.1', 451, 'later'),
      });
      await kit.interaction(id, 'deferral', 'later');
      return { email: id };
    },
    { verdict: 'FAILED', cause: 'gave_up', action: 'none', outcome: 'stopped' },
  ],
  [
    'no connection for 72 hours',
    async (kit) => {
      const id = await kit.email(await kit.contact(), {
        status: 'FAILED',
        error: 'connection lost',
        attempts: 40,
      });
      await kit.interaction(id, 'deferral', 'connection lost');
      return { email: id };
    },
    { verdict: 'FAILED', cause: 'gave_up', action: 'none', outcome: 'stopped' },
  ],
  [
    'a template that cannot be rendered',
    async (kit) => ({
      email: await kit.email(await kit.contact(), {
        status: 'FAILED',
        error: 'The message could not be created: unexpected tag, line 3, col 7',
        templateId: newId(),
      }),
    }),
    { verdict: 'FAILED', cause: 'render_failed', action: 'templates.update', outcome: 'stopped' },
  ],
  [
    'a campaign that cannot be rendered',
    async (kit) => ({
      email: await kit.email(await kit.contact(), {
        status: 'FAILED',
        error: 'The message could not be created: x',
        sourceType: 'CAMPAIGN',
        campaignId: await kit.sent(),
      }),
    }),
    { verdict: 'FAILED', cause: 'render_failed', action: 'campaigns.get' },
  ],
  [
    'a sender domain that was removed',
    async (kit) => ({
      email: await kit.email(await kit.contact(), {
        status: 'FAILED',
        error: 'sender domain removed',
        contentId: await kit.content(newId(), 'hello@removed.example.com'),
      }),
    }),
    { verdict: 'FAILED', cause: 'domain_removed', action: 'domains.create', outcome: 'stopped' },
  ],
  [
    'a sender domain that was not verified',
    async (kit) => {
      await kit.db.domain.update({ where: { id: kit.domainId }, data: { status: 'FAILED' } });
      return {
        email: await kit.email(await kit.contact(), {
          status: 'FAILED',
          error: 'sender domain not verified',
        }),
      };
    },
    { verdict: 'FAILED', cause: 'domain_unverified', action: 'domains.verify', outcome: 'stopped' },
  ],
  [
    'a cap of the month',
    async (kit) => ({
      email: await kit.email(await kit.contact(), {
        status: 'FAILED',
        error: 'billing limit exceeded',
        sourceType: 'WORKFLOW',
      }),
    }),
    { verdict: 'FAILED', cause: 'billing_limit', action: 'billing.setLimits', outcome: 'stopped' },
  ],
  [
    'the daily limit of a new project',
    async (kit) => ({
      email: await kit.email(await kit.contact(), {
        status: 'FAILED',
        error: 'daily limit of a new project exceeded',
        sourceType: 'WORKFLOW',
      }),
    }),
    { verdict: 'FAILED', cause: 'daily_limit', action: 'none', outcome: 'stopped' },
  ],
  [
    'the storage limit',
    async (kit) => ({
      email: await kit.email(await kit.contact(), {
        status: 'FAILED',
        error: 'storage limit exceeded',
        sourceType: 'WORKFLOW',
      }),
    }),
    { verdict: 'FAILED', cause: 'storage_limit', action: 'none', outcome: 'stopped' },
  ],
  [
    'rejected by a provider',
    async (kit) => ({
      email: await kit.email(await kit.contact(), { status: 'FAILED', error: 'virus found' }),
    }),
    { verdict: 'FAILED', cause: 'other', action: 'none', says: 'virus found' },
  ],
  [
    'failed, and nothing is stored',
    async (kit) => ({ email: await kit.email(await kit.contact(), { status: 'FAILED' }) }),
    { verdict: 'FAILED', cause: 'unknown', action: 'none', outcome: 'unknown' },
  ],
];

const contacts: Case[] = [
  [
    'subscribed',
    async (kit) => ({ contact: (await kit.contact()).id }),
    { verdict: 'REACHABLE', cause: null, action: null },
  ],
  [
    'by its address, in another case',
    async (kit) => ({ contact: (await kit.contact()).email.toUpperCase() }),
    { verdict: 'REACHABLE', cause: null, action: null },
  ],
  [
    'by its external id',
    async (kit) => {
      await kit.contact({ externalId: 'user 7' });
      return { contact: 'ext:user 7' };
    },
    { verdict: 'REACHABLE', cause: null, action: null },
  ],
  [
    'unsubscribed on the page',
    async (kit) => {
      const contact = await kit.contact({
        subscribed: false,
        optedOutAt: ago(9),
        subscriptionChangedAt: ago(9),
      });
      await kit.event(contact.id, 'contact.unsubscribed', ago(9), { reason: 'page' });
      return { contact: contact.id };
    },
    {
      verdict: 'PARTLY',
      cause: 'unsubscribed',
      action: 'none',
      outcome: 'stopped',
      says: 'on the page for recipients',
    },
  ],
  [
    'unsubscribed, whose event is no longer stored',
    async (kit) => ({
      contact: (await kit.contact({ subscribed: false, optedOutAt: ago(9), subscriptionChangedAt: ago(9) }))
        .id,
    }),
    { verdict: 'PARTLY', cause: 'unsubscribed', action: 'none', says: 'how is no longer stored' },
  ],
  [
    'never subscribed',
    async (kit) => ({ contact: (await kit.contact({ subscribed: false })).id }),
    { verdict: 'PARTLY', cause: 'never_subscribed', action: 'none' },
  ],
  [
    'paused',
    async (kit) => {
      const contact = await kit.contact({
        subscribed: false,
        snoozedUntil: ahead(9_000),
        subscriptionChangedAt: ago(9),
      });
      await kit.event(contact.id, 'contact.unsubscribed', ago(9), {
        reason: 'page',
        snoozedUntil: ahead(9_000).toISOString(),
      });
      return { contact: contact.id };
    },
    { verdict: 'PARTLY', cause: 'snoozed', action: 'none' },
  ],
  [
    'suppressed by a bounce',
    async (kit) => {
      const contact = await kit.contact();
      await kit.suppress(contact.email);
      return { contact: contact.id };
    },
    { verdict: 'UNREACHABLE', cause: 'suppressed', action: 'contacts.deleteSuppression' },
  ],
  [
    'suppressed by hand',
    async (kit) => {
      const contact = await kit.contact();
      await kit.suppress(contact.email, { reason: 'MANUAL' });
      return { contact: contact.email };
    },
    { verdict: 'UNREACHABLE', cause: 'suppressed', action: 'contacts.deleteSuppression' },
  ],
  [
    'suppressed by a complaint, and unsubscribed',
    async (kit) => {
      const contact = await kit.contact({ subscribed: false });
      await kit.suppress(contact.email, { reason: 'COMPLAINT' });
      return { contact: contact.id };
    },
    { verdict: 'UNREACHABLE', cause: 'suppressed', action: 'none' },
  ],
  [
    'with an invalid address',
    async (kit) => ({ contact: (await kit.contact({ email: 'no address' })).id }),
    { verdict: 'UNREACHABLE', cause: 'invalid', action: 'contacts.update' },
  ],
  [
    'of a disabled project',
    async (kit) => {
      await kit.db.project.update({
        where: { id: kit.projectId },
        data: { disabled: true, disabledReason: 'EMAIL_REPUTATION' },
      });
      await kit.db.suspension.create({
        data: { id: newId(), projectId: kit.projectId, reason: 'EMAIL_REPUTATION', at: ago(3) },
      });
      return { contact: (await kit.contact()).id };
    },
    { verdict: 'UNREACHABLE', cause: 'project_disabled', action: 'reputation.security' },
  ],
  [
    'an address without a contact',
    async () => ({ contact: 'nobody@people.test' }),
    { verdict: 'REACHABLE', cause: null, action: null, says: 'No contact' },
  ],
  [
    'a suppressed address without a contact',
    async (kit) => {
      await kit.suppress('nobody@people.test');
      return { contact: 'nobody@people.test' };
    },
    { verdict: 'UNREACHABLE', cause: 'suppressed', action: 'contacts.deleteSuppression' },
  ],
  [
    'the address of a deleted contact that had opted out',
    async (kit) => {
      const address = 'left@people.test';
      await kit.db.optOut.create({
        data: {
          projectId: kit.projectId,
          addressHash: Uint8Array.from(kit.test.services.secrets.addressHash(kit.projectId, address)),
        },
      });
      return { contact: address };
    },
    { verdict: 'PARTLY', cause: 'unsubscribed', action: 'none' },
  ],
  [
    'an address that a workflow wrote to',
    async (kit) => {
      await kit.email(
        { ...(await kit.contact()), email: 'boss@people.test' },
        { status: 'SENT', sentAt: ago(50), toOther: true, sourceType: 'WORKFLOW' },
      );
      return { contact: 'boss@people.test' };
    },
    { verdict: 'REACHABLE', cause: null, action: null, says: 'An email to the address is SENT' },
  ],
];

const campaigns: Case[] = [
  [
    'with its email',
    async (kit) => {
      const contact = await kit.contact();
      const campaign = await kit.sent();
      await kit.email(contact, {
        status: 'DELIVERED',
        sentAt: ago(50),
        deliveredAt: ago(49),
        sourceType: 'CAMPAIGN',
        campaignId: campaign,
      });
      return { contact: contact.id, campaign };
    },
    { verdict: 'DELIVERED', cause: null, action: null },
  ],
  [
    'with a suppressed email',
    async (kit) => {
      const contact = await kit.contact();
      await kit.suppress(contact.email);
      const campaign = await kit.sent();
      await kit.email(contact, {
        status: 'SKIPPED',
        reason: 'suppressed',
        sourceType: 'CAMPAIGN',
        campaignId: campaign,
      });
      return { contact: contact.id, campaign };
    },
    { verdict: 'SKIPPED', cause: 'suppressed', action: 'contacts.deleteSuppression' },
  ],
  [
    'a draft',
    async (kit) => ({ contact: (await kit.contact()).id, campaign: await kit.campaign() }),
    { verdict: 'NOT_CREATED', cause: 'not_started', action: 'campaigns.send' },
  ],
  [
    'scheduled',
    async (kit) => ({
      contact: (await kit.contact()).id,
      campaign: await kit.campaign({ status: 'SCHEDULED', scheduledFor: ahead(60) }),
    }),
    { verdict: 'NOT_CREATED', cause: 'not_started', action: 'campaigns.send', outcome: 'waiting' },
  ],
  [
    'being frozen',
    async (kit) => ({
      contact: (await kit.contact()).id,
      campaign: await kit.campaign({ status: 'SENDING', sentAt: ago(1) }),
    }),
    { verdict: 'NOT_CREATED', cause: 'freezing', action: 'none', outcome: 'waiting' },
  ],
  [
    'frozen in parts, the contact not yet',
    async (kit) => ({
      contact: (await kit.contact({ createdAt: ago(400) })).id,
      campaign: await kit.campaign({
        status: 'SENDING',
        sentAt: ago(1),
        frozenAt: ago(1),
        frozenToCreatedAt: ago(500),
        frozenToId: newId(),
      }),
    }),
    { verdict: 'NOT_CREATED', cause: 'freezing', action: 'none' },
  ],
  [
    'cancelled before',
    async (kit) => {
      const campaign = await kit.campaign({ status: 'CANCELLED' });
      await kit.audit('campaigns.cancel', campaign, ago(3), ['status']);
      return { contact: (await kit.contact()).id, campaign };
    },
    {
      verdict: 'NOT_CREATED',
      cause: 'campaign_cancelled',
      action: 'campaigns.duplicate',
      outcome: 'stopped',
    },
  ],
  ...(
    [
      ['domain_unverified', 'domains.verify'],
      ['billing_limit_exceeded', 'billing.setLimits'],
      ['daily_limit_exceeded', 'campaigns.duplicate'],
      ['approval_missing', 'campaigns.duplicate'],
      ['start_failed', 'campaigns.duplicate'],
      ['audience_failed', 'campaigns.duplicate'],
      ['project_disabled', 'none'],
    ] as const
  ).map(
    ([statusReason, action]): Case => [
      `cancelled by the service: ${statusReason}`,
      async (kit) => ({
        contact: (await kit.contact()).id,
        campaign: await kit.campaign({ status: 'CANCELLED', statusReason }),
      }),
      { verdict: 'NOT_CREATED', cause: 'campaign_cancelled', action },
    ],
  ),
  [
    'created after the freeze',
    async (kit) => ({ contact: (await kit.contact({ createdAt: ago(5) })).id, campaign: await kit.sent() }),
    {
      verdict: 'NOT_CREATED',
      cause: 'created_after_freeze',
      action: 'campaigns.duplicate',
      outcome: 'stopped',
    },
  ],
  [
    'unsubscribed before the freeze',
    async (kit) => {
      const contact = await kit.contact({
        subscribed: false,
        optedOutAt: ago(100),
        subscriptionChangedAt: ago(100),
      });
      await kit.event(contact.id, 'contact.unsubscribed', ago(100), { reason: 'page' });
      return { contact: contact.id, campaign: await kit.sent() };
    },
    { verdict: 'NOT_CREATED', cause: 'not_subscribed_then', action: 'none', outcome: 'stopped' },
  ],
  [
    'unsubscribed then, subscribed since',
    async (kit) => {
      const contact = await kit.contact({ subscribed: true, subscriptionChangedAt: ago(10) });
      await kit.event(contact.id, 'contact.unsubscribed', ago(100), { reason: 'api' });
      await kit.event(contact.id, 'contact.subscribed', ago(10), { reason: 'page' });
      return { contact: contact.id, campaign: await kit.sent() };
    },
    { verdict: 'NOT_CREATED', cause: 'not_subscribed_then', action: 'campaigns.duplicate' },
  ],
  [
    'never subscribed',
    async (kit) => ({ contact: (await kit.contact({ subscribed: false })).id, campaign: await kit.sent() }),
    { verdict: 'NOT_CREATED', cause: 'not_subscribed_then', action: 'none' },
  ],
  [
    'not matching its filter',
    async (kit) => ({
      contact: (await kit.contact({ data: { plan: 'free' }, updatedAt: ago(500) })).id,
      campaign: await kit.sent({
        audienceType: 'FILTERED',
        audienceCondition: tree('data.plan', 'equals', 'pro'),
      }),
    }),
    {
      verdict: 'NOT_CREATED',
      cause: 'not_in_audience',
      action: 'campaigns.duplicate',
      outcome: 'stopped',
      says: 'data.plan equals "pro", and the contact has "free"',
    },
  ],
  [
    'not matching its filter, changed since',
    async (kit) => ({
      contact: (await kit.contact({ data: { plan: 'free' }, updatedAt: ago(1) })).id,
      campaign: await kit.sent({
        audienceType: 'FILTERED',
        audienceCondition: tree('data.plan', 'equals', 'pro'),
      }),
    }),
    { verdict: 'NOT_CREATED', cause: 'not_in_audience', action: 'campaigns.duplicate', outcome: 'unknown' },
  ],
  [
    'not a member of its static segment',
    async (kit) => ({
      contact: (await kit.contact({ updatedAt: ago(500) })).id,
      campaign: await kit.sent({ audienceType: 'SEGMENT', segmentId: await kit.segment({ type: 'STATIC' }) }),
    }),
    { verdict: 'NOT_CREATED', cause: 'not_in_audience', action: 'campaigns.duplicate', outcome: 'stopped' },
  ],
  [
    'not matching its dynamic segment',
    async (kit) => ({
      contact: (await kit.contact({ updatedAt: ago(500) })).id,
      campaign: await kit.sent({
        audienceType: 'SEGMENT',
        segmentId: await kit.segment({ condition: tree('event.bought', 'triggered') }),
      }),
    }),
    {
      verdict: 'NOT_CREATED',
      cause: 'not_in_audience',
      action: 'campaigns.duplicate',
      says: 'event.bought triggered, and the contact has nothing',
    },
  ],
  [
    'matching now, and nothing says why not then',
    async (kit) => ({ contact: (await kit.contact()).id, campaign: await kit.sent() }),
    { verdict: 'NOT_CREATED', cause: 'unknown', action: 'campaigns.duplicate', outcome: 'unknown' },
  ],
  [
    'an address without a contact',
    async (kit) => ({ contact: 'nobody@people.test', campaign: await kit.sent() }),
    { verdict: 'NOT_CREATED', cause: 'not_in_audience', action: 'contacts.upsert' },
  ],
];

const onlyPro = {
  logic: 'AND',
  groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value: 'pro' }] }],
};
const byBirthday = {
  triggerType: 'DATE',
  triggerConfig: { field: 'data.birthday', repeat: 'YEARLY', offsetDays: 0, at: '09:00' },
} as const;

/** What is kept of the entries of a contact. */
const entered = (kit: Kit, workflowId: string, contactId: string, entries: number, lastAt: Date) =>
  kit.db.workflowEntry.upsert({
    where: { workflowId_contactId: { workflowId, contactId } },
    create: { workflowId, contactId, projectId: kit.projectId, entries, lastAt, active: false },
    update: { entries, lastAt, active: false },
  });

const workflows: Case[] = [
  [
    'that is not enabled',
    async (kit) => ({
      contact: (await kit.contact()).id,
      workflow: (await kit.workflow({ enabled: false })).id,
    }),
    { verdict: 'NOT_ENTERED', cause: 'not_enabled', action: 'workflows.update' },
  ],
  [
    'that its failures have disabled',
    async (kit) => ({
      contact: (await kit.contact()).id,
      workflow: (await kit.workflow({ enabled: false, disabledReason: 'errors' })).id,
    }),
    {
      verdict: 'NOT_ENTERED',
      cause: 'workflow_disabled_by_errors',
      action: 'workflows.retryExecutions',
      outcome: 'stopped',
    },
  ],
  [
    'whose event never happened',
    async (kit) => ({ contact: (await kit.contact()).id, workflow: (await kit.workflow()).id }),
    { verdict: 'NOT_ENTERED', cause: 'no_event', action: 'events.record' },
  ],
  [
    'that starts by hand',
    async (kit) => ({
      contact: (await kit.contact()).id,
      workflow: (await kit.workflow({ triggerType: 'MANUAL', triggerConfig: {} })).id,
    }),
    { verdict: 'NOT_ENTERED', cause: 'no_event', action: 'workflows.startExecution' },
  ],
  [
    'whose event happened before it was enabled',
    async (kit) => {
      const contact = await kit.contact();
      await kit.event(contact.id, 'signup', ago(400), {}, 'CUSTOM');
      return { contact: contact.id, workflow: (await kit.workflow()).id };
    },
    { verdict: 'NOT_ENTERED', cause: 'event_before_enabled', action: 'workflows.startExecution' },
  ],
  [
    'whose event is queued',
    async (kit) => {
      const contact = await kit.contact();
      const eventId = await kit.event(contact.id, 'signup', ago(1), {}, 'CUSTOM');
      await kit.db.eventDispatch.create({ data: { eventId, projectId: kit.projectId } });
      return { contact: contact.id, workflow: (await kit.workflow()).id };
    },
    { verdict: 'NOT_ENTERED', cause: 'event_queued', action: 'none', outcome: 'waiting' },
  ],
  [
    'whose event happened, and nothing says why not',
    async (kit) => {
      const contact = await kit.contact();
      await kit.event(contact.id, 'signup', ago(100), {}, 'CUSTOM');
      return { contact: contact.id, workflow: (await kit.workflow()).id };
    },
    { verdict: 'NOT_ENTERED', cause: 'unknown', action: 'workflows.startExecution', outcome: 'unknown' },
  ],
  [
    'whose event happened while the project was disabled',
    async (kit) => {
      const contact = await kit.contact();
      await kit.event(contact.id, 'signup', ago(100), {}, 'CUSTOM');
      await kit.db.suspension.create({
        data: { id: newId(), projectId: kit.projectId, reason: 'MANUAL', at: ago(110), liftedAt: ago(90) },
      });
      return { contact: contact.id, workflow: (await kit.workflow()).id };
    },
    { verdict: 'NOT_ENTERED', cause: 'project_disabled', action: 'none' },
  ],
  [
    'that the contact was in before',
    async (kit) => {
      const contact = await kit.contact();
      const { id } = await kit.workflow();
      await kit.execution(id, contact.id, { status: 'COMPLETED' });
      await kit.event(contact.id, 'signup', ago(10), {}, 'CUSTOM');
      return { contact: contact.id, workflow: id };
    },
    { verdict: 'NOT_ENTERED', cause: 'reentry_blocked', action: 'workflows.update' },
  ],
  [
    'whose trigger asks for other data',
    async (kit) => {
      const contact = await kit.contact();
      await kit.event(contact.id, 'signup', ago(10), { plan: 'free' }, 'CUSTOM');
      const where = [{ property: 'plan', operator: 'equals', value: 'pro' }];
      const { id } = await kit.workflow({ triggerConfig: { eventName: 'signup', where } });
      return { contact: contact.id, workflow: id };
    },
    { verdict: 'NOT_ENTERED', cause: 'trigger_filter', action: 'workflows.update', outcome: 'stopped' },
  ],
  [
    'whose entry filter the contact does not match',
    async (kit) => {
      const contact = await kit.contact({ data: { plan: 'free' }, updatedAt: ago(5) });
      await kit.event(contact.id, 'signup', ago(10), {}, 'CUSTOM');
      const filter = onlyPro;
      return { contact: contact.id, workflow: (await kit.workflow({ entry: { filter } })).id };
    },
    {
      verdict: 'NOT_ENTERED',
      cause: 'entry_filter',
      action: 'workflows.update',
      outcome: 'unknown',
      says: 'The contact has changed since',
    },
  ],
  [
    'that allows no more entries',
    async (kit) => {
      const contact = await kit.contact();
      const { id } = await kit.workflow({ allowReentry: true, entry: { limit: 2 } });
      await kit.execution(id, contact.id, { status: 'COMPLETED' });
      await entered(kit, id, contact.id, 2, ago(60));
      await kit.event(contact.id, 'signup', ago(10), {}, 'CUSTOM');
      return { contact: contact.id, workflow: id };
    },
    { verdict: 'NOT_ENTERED', cause: 'entry_limit', action: 'workflows.update' },
  ],
  [
    'that the contact entered too lately',
    async (kit) => {
      const contact = await kit.contact();
      const every = { amount: 7, unit: 'days' };
      const { id } = await kit.workflow({ allowReentry: true, entry: { every } });
      await kit.execution(id, contact.id, { status: 'COMPLETED' });
      await entered(kit, id, contact.id, 1, ago(60));
      await kit.event(contact.id, 'signup', ago(10), {}, 'CUSTOM');
      return { contact: contact.id, workflow: id };
    },
    { verdict: 'NOT_ENTERED', cause: 'entry_interval', action: 'none' },
  ],
  [
    'that the contact was in so long ago that nothing but the entry is stored',
    async (kit) => {
      const contact = await kit.contact();
      const { id } = await kit.workflow();
      await entered(kit, id, contact.id, 1, ago(600));
      await kit.event(contact.id, 'signup', ago(10), {}, 'CUSTOM');
      return { contact: contact.id, workflow: id };
    },
    { verdict: 'NOT_ENTERED', cause: 'reentry_blocked', action: 'workflows.update' },
  ],
  [
    'for new contacts, which is younger than the contact',
    async (kit) => ({
      contact: (await kit.contact()).id,
      workflow: (await kit.workflow({ triggerType: 'CONTACT', triggerConfig: {} })).id,
    }),
    { verdict: 'NOT_ENTERED', cause: 'contact_existed', action: 'workflows.startExecution' },
  ],
  [
    'by a date that the contact does not have',
    async (kit) => ({
      contact: (await kit.contact({ data: { birthday: '15.06.1990' } })).id,
      workflow: (await kit.workflow(byBirthday)).id,
    }),
    { verdict: 'NOT_ENTERED', cause: 'no_date', action: 'contacts.update', says: 'There is no date ahead' },
  ],
  [
    'by a date that is still to come',
    async (kit) => ({
      contact: (await kit.contact({ data: { birthday: '1990-06-15' } })).id,
      workflow: (await kit.workflow(byBirthday)).id,
    }),
    { verdict: 'NOT_ENTERED', cause: 'no_event', action: 'workflows.startExecution', outcome: 'waiting' },
  ],
  [
    'in which the contact waits',
    async (kit) => {
      const contact = await kit.contact();
      const { id, delay, trigger } = await kit.workflow();
      const execution = await kit.execution(id, contact.id, {
        status: 'WAITING',
        completedAt: null,
        currentStepId: delay,
        dueAt: ahead(100),
      });
      await kit.run(execution, trigger);
      await kit.run(execution, delay, { status: 'SCHEDULED', completedAt: null, scheduledFor: ahead(100) });
      await kit.event(contact.id, 'signup', ago(10), {}, 'CUSTOM');
      return { contact: contact.id, workflow: id };
    },
    {
      verdict: 'ENTERED',
      cause: 'waiting',
      action: 'none',
      outcome: 'waiting',
      says: 'during the execution',
    },
  ],
  [
    'that a decision led past its email',
    async (kit) => {
      const contact = await kit.contact();
      const { id, trigger, condition, delay } = await kit.workflow();
      const execution = await kit.execution(id, contact.id, { status: 'COMPLETED' });
      await kit.run(execution, trigger);
      await kit.run(execution, condition, {
        output: {
          field: 'data.plan',
          operator: 'equals',
          expectedValue: 'pro',
          actualValue: 'free',
          result: false,
          branch: 'no',
        },
      });
      await kit.run(execution, delay);
      return { contact: contact.id, workflow: id };
    },
    { verdict: 'ENTERED', cause: 'branch', action: 'workflows.updateStep', outcome: 'stopped' },
  ],
  [
    'whose step failed',
    async (kit) => {
      const contact = await kit.contact();
      const { id, send } = await kit.workflow();
      const execution = await kit.execution(id, contact.id, {
        status: 'FAILED',
        currentStepId: send,
        exitReason: 'The template of this step was deleted',
      });
      await kit.run(execution, send, { status: 'FAILED', error: 'The template of this step was deleted' });
      return { contact: contact.id, workflow: id };
    },
    {
      verdict: 'ENTERED',
      cause: 'step_failed',
      action: 'workflows.updateStep',
      outcome: 'stopped',
      says: 'template of this step',
    },
  ],
  [
    'whose step was deleted',
    async (kit) => {
      const contact = await kit.contact();
      const { id } = await kit.workflow();
      await kit.execution(id, contact.id, {
        status: 'FAILED',
        currentStepId: newId(),
        exitReason: 'The current step of this execution was deleted',
      });
      return { contact: contact.id, workflow: id };
    },
    { verdict: 'ENTERED', cause: 'step_failed', action: 'workflows.startExecution' },
  ],
  [
    'whose email was skipped',
    async (kit) => {
      const contact = await kit.contact();
      await kit.suppress(contact.email);
      const { id, send } = await kit.workflow();
      const execution = await kit.execution(id, contact.id, { status: 'COMPLETED' });
      const step = await kit.run(execution, send);
      await kit.email(contact, {
        status: 'SKIPPED',
        reason: 'suppressed',
        sourceType: 'WORKFLOW',
        workflowExecutionId: execution,
        workflowStepExecutionId: step,
      });
      return { contact: contact.id, workflow: id };
    },
    { verdict: 'ENTERED', cause: 'suppressed', action: 'contacts.deleteSuppression' },
  ],
  [
    'that an EXIT step ended',
    async (kit) => {
      const contact = await kit.contact();
      const { id } = await kit.workflow();
      await kit.execution(id, contact.id, { status: 'EXITED', exitReason: 'is a customer' });
      return { contact: contact.id, workflow: id };
    },
    { verdict: 'ENTERED', cause: 'exited', action: 'none', says: 'is a customer' },
  ],
  [
    'that a goal ended',
    async (kit) => {
      const contact = await kit.contact();
      const { id } = await kit.workflow();
      const endedBy = { kind: 'goal', name: 'Purchase', goalId: newId(), eventId: newId(), at: ago(30) };
      await kit.execution(id, contact.id, { status: 'EXITED', exitReason: 'Goal: Purchase', endedBy });
      return { contact: contact.id, workflow: id };
    },
    { verdict: 'ENTERED', cause: 'goal_reached', action: 'none', outcome: 'stopped', says: 'Purchase' },
  ],
  [
    'that an exit rule ended, with an email that was waiting',
    async (kit) => {
      const contact = await kit.contact();
      const { id, send } = await kit.workflow();
      const endedBy = { kind: 'exit', name: 'Has paid', eventId: newId(), at: ago(30) };
      const execution = await kit.execution(id, contact.id, {
        ...{ status: 'EXITED', exitReason: 'Has paid', endedBy },
      });
      const step = await kit.run(execution, send);
      await kit.email(contact, {
        ...{ status: 'SKIPPED', reason: 'exited', sourceType: 'WORKFLOW' },
        ...{ workflowExecutionId: execution, workflowStepExecutionId: step },
      });
      return { contact: contact.id, workflow: id };
    },
    { verdict: 'ENTERED', cause: 'exit_rule', action: 'none', outcome: 'stopped', says: 'Has paid' },
  ],
  [
    'that a draw holds out',
    async (kit) => {
      const contact = await kit.contact();
      const { id, condition } = await kit.workflow();
      await kit.db.workflowStep.update({
        where: { id: condition },
        data: { type: 'SPLIT', name: 'Who gets it', config: { holdout: 'none' } },
      });
      const execution = await kit.execution(id, contact.id, { status: 'COMPLETED', heldOut: true });
      await kit.run(execution, condition, { output: { branch: 'none' } });
      return { contact: contact.id, workflow: id };
    },
    { verdict: 'ENTERED', cause: 'held_out', action: 'none', outcome: 'stopped', says: 'Who gets it' },
  ],
  [
    'that was cancelled',
    async (kit) => {
      const contact = await kit.contact();
      const { id } = await kit.workflow();
      const execution = await kit.execution(id, contact.id, {
        status: 'CANCELLED',
        exitReason: 'Cancelled by user',
      });
      await kit.audit('workflows.cancelExecution', execution, ago(50), ['status']);
      return { contact: contact.id, workflow: id };
    },
    { verdict: 'ENTERED', cause: 'cancelled', action: 'workflows.startExecution' },
  ],
  [
    'that was cancelled with its project',
    async (kit) => {
      const contact = await kit.contact();
      await kit.db.suspension.create({
        data: { id: newId(), projectId: kit.projectId, reason: 'MANUAL', at: ago(55), liftedAt: ago(20) },
      });
      const { id } = await kit.workflow();
      await kit.execution(id, contact.id, { status: 'CANCELLED', exitReason: 'Project disabled' });
      return { contact: contact.id, workflow: id };
    },
    { verdict: 'ENTERED', cause: 'project_disabled', action: 'none' },
  ],
  [
    'whose contact was merged with another',
    async (kit) => {
      const contact = await kit.contact();
      const { id } = await kit.workflow();
      await kit.execution(id, contact.id, {
        status: 'CANCELLED',
        exitReason: 'The contact was merged with another one in this workflow',
      });
      return { contact: contact.id, workflow: id };
    },
    { verdict: 'ENTERED', cause: 'cancelled', action: 'none' },
  ],
  [
    'that the contact went through',
    async (kit) => {
      const contact = await kit.contact();
      const { id, trigger } = await kit.workflow();
      const execution = await kit.execution(id, contact.id, { status: 'COMPLETED' });
      await kit.run(execution, trigger);
      return { contact: contact.id, workflow: id };
    },
    { verdict: 'ENTERED', cause: 'ended', action: 'none' },
  ],
  [
    'and an address without a contact',
    async (kit) => ({ contact: 'nobody@people.test', workflow: (await kit.workflow()).id }),
    { verdict: 'NOT_ENTERED', cause: 'no_event', action: 'events.record' },
  ],
];

const segments: Case[] = [
  [
    'a list with the contact',
    async (kit) => {
      const contact = await kit.contact();
      const segment = await kit.segment({ type: 'STATIC' });
      await kit.db.segmentMembership.create({
        data: { projectId: kit.projectId, segmentId: segment, contactId: contact.id, enteredAt: ago(9) },
      });
      return { contact: contact.id, segment };
    },
    { verdict: 'MEMBER', cause: null, action: null },
  ],
  [
    'a list without it',
    async (kit) => ({ contact: (await kit.contact()).id, segment: await kit.segment({ type: 'STATIC' }) }),
    { verdict: 'NOT_MEMBER', cause: 'no_member', action: 'segments.addMembers' },
  ],
  [
    'a list that it was taken off',
    async (kit) => {
      const contact = await kit.contact();
      const segment = await kit.segment({ type: 'STATIC' });
      await kit.db.segmentMembership.create({
        data: {
          projectId: kit.projectId,
          segmentId: segment,
          contactId: contact.id,
          enteredAt: ago(9),
          exitedAt: ago(5),
        },
      });
      return { contact: contact.id, segment };
    },
    { verdict: 'NOT_MEMBER', cause: 'no_member', action: 'segments.addMembers', says: 'taken off the list' },
  ],
  [
    'a condition that matches',
    async (kit) => ({
      contact: (await kit.contact({ data: { seats: 7 } })).id,
      segment: await kit.segment({ condition: tree('data.seats', 'greaterThan', 5) }),
    }),
    { verdict: 'MEMBER', cause: null, action: null },
  ],
  [
    'a condition that does not',
    async (kit) => ({
      contact: (await kit.contact({ data: { seats: 3 } })).id,
      segment: await kit.segment({ condition: tree('data.seats', 'greaterThan', 5) }),
    }),
    {
      verdict: 'NOT_MEMBER',
      cause: 'filter',
      action: 'segments.update',
      says: 'data.seats greaterThan 5, and the contact has 3',
    },
  ],
  [
    'one of another segment, of activity and of columns',
    async (kit) => {
      const inner = await kit.segment({ type: 'STATIC' });
      const filters = [
        { field: `segment.${inner}`, operator: 'memberOfSegment' },
        { field: 'email.opened', operator: 'triggeredWithin', value: 7, unit: 'days' },
        { field: 'subscribed', operator: 'equals', value: true },
        { field: 'createdAt', operator: 'within', value: 7, unit: 'days' },
      ];
      const contact = await kit.contact();
      await kit.email(contact, { status: 'OPENED', sentAt: ago(50), openedAt: ago(40) });
      const condition = json({
        logic: 'OR',
        groups: [{ filters, conditions: tree('data.no', 'exists') }],
      });
      return { contact: contact.id, segment: await kit.segment({ condition }) };
    },
    {
      verdict: 'NOT_MEMBER',
      cause: 'filter',
      action: 'segments.update',
      says: 'memberOfSegment, and the contact has false',
    },
  ],
  [
    'a tracked one that was not computed since',
    async (kit) => ({
      contact: (await kit.contact({ data: { seats: 7 } })).id,
      segment: await kit.segment({
        trackMembership: true,
        computedAt: ago(9),
        condition: tree('data.seats', 'greaterThan', 5),
      }),
    }),
    { verdict: 'NOT_MEMBER', cause: 'not_computed', action: 'segments.compute', outcome: 'waiting' },
  ],
  [
    'and an address without a contact',
    async (kit) => ({ contact: 'nobody@people.test', segment: await kit.segment() }),
    { verdict: 'NOT_MEMBER', cause: 'no_member', action: 'contacts.upsert' },
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

describe('refused', () => {
  const ask = (query: string, key = test.project.secretKey) => test.withKey(key)('GET', `/explain${query}`);
  const id = newId();

  it.each([
    ['', 'email', 'required'],
    ['?email=x', 'email', 'invalid_string'],
    [`?campaign=${id}`, 'contact', 'required'],
    [`?email=${id}&contact=a@people.test`, 'contact', 'custom'],
    [`?email=${id}&segment=${id}`, 'segment', 'custom'],
    [`?contact=${id}&campaign=${id}&workflow=${id}`, 'workflow', 'custom'],
    ['?contact=nothing', 'contact', 'invalid_string'],
    [`?contact=${'x'.repeat(100_000)}@people.test`, 'contact', 'invalid_string'],
    [`?contact=${id}&template=${id}`, 'template', 'unsupported_field'],
  ])('422 of %.60s', async (query, field, code) => {
    const answer = await ask(query);
    expect(answer.status, answer.text).toBe(422);
    expect(answer.body.error.errors).toMatchObject([{ field, code }]);
  });

  it.each([
    [`?email=${id}`, 'RESOURCE_NOT_FOUND'],
    [`?contact=${id}`, 'CONTACT_NOT_FOUND'],
    ['?contact=ext:nobody', 'CONTACT_NOT_FOUND'],
    [`?contact=a@people.test&campaign=${id}`, 'CAMPAIGN_NOT_FOUND'],
    [`?contact=a@people.test&workflow=${id}`, 'WORKFLOW_NOT_FOUND'],
    [`?contact=a@people.test&segment=${id}`, 'SEGMENT_NOT_FOUND'],
  ])('404 of %s', async (query, code) => {
    expect(await ask(query)).toMatchObject({ status: 404, body: { error: { code } } });
  });

  it('401 to a public key', async () => {
    expect((await ask('?contact=a@people.test', test.project.publicKey)).status).toBe(401);
  });

  it('what is another project’s, like what is unknown', async () => {
    const other = await Kit.open(test);
    const contact = await other.contact({ externalId: 'theirs' });
    const email = await other.email(contact, { status: 'SENT' });
    await other.suppress(contact.email);
    const campaign = await other.sent();
    const segment = await other.segment({ type: 'STATIC' });
    const { id: workflow } = await other.workflow();
    const mine = await Kit.open(test);
    const own = await mine.contact();
    const key = mine.project.secretKey;
    for (const [query, code] of [
      [`?email=${email}`, 'RESOURCE_NOT_FOUND'],
      [`?contact=${contact.id}`, 'CONTACT_NOT_FOUND'],
      ['?contact=ext:theirs', 'CONTACT_NOT_FOUND'],
      [`?contact=${own.id}&campaign=${campaign}`, 'CAMPAIGN_NOT_FOUND'],
      [`?contact=${own.id}&workflow=${workflow}`, 'WORKFLOW_NOT_FOUND'],
      [`?contact=${own.id}&segment=${segment}`, 'SEGMENT_NOT_FOUND'],
    ])
      expect(await ask(query ?? '', key)).toMatchObject({ status: 404, body: { error: { code } } });
    const { body } = await ask(`?contact=${contact.email}`, key);
    expect(body.data ?? body).toMatchObject({ verdict: 'REACHABLE', question: { contact: null } });
    expect(JSON.stringify(body)).not.toContain(other.projectId);
  });
});

it('a chain of more than 100 links keeps the newest', async () => {
  const kit = await Kit.open(test);
  const id = await kit.email(await kit.contact(), { status: 'SENT', sentAt: ago(1), createdAt: ago(9_000) });
  for (let n = 0; n < 60; n += 1) await kit.interaction(id, 'delay', `delay ${n}`, ago(n + 2));
  for (let n = 0; n < 60; n += 1) await kit.audit('sending.reschedule', id, ago(200 + n));
  const { chain } = await askRest(test, kit, { email: id });
  expect(chain.length).toBeLessThanOrEqual(100);
  expect(chain.at(-1)).toMatchObject({ check: 'sent' });
});

it('an end to end: a send to a suppressed address, and a cancel, are explained as they are', async () => {
  const kit = await Kit.open(test);
  const send = test.withKey(kit.project.secretKey);
  await send('POST', '/suppressions', { emails: ['dead@people.test'] });
  const mail = { subject: 'Hello', body: '<p>Hello</p>', from: kit.from };
  const skipped = await send('POST', '/v1/send', { ...mail, to: 'dead@people.test' });
  const later = await send('POST', '/v1/send', {
    ...mail,
    to: 'later@people.test',
    scheduledAt: ahead(600).toISOString(),
  });
  const [first] = skipped.body.data.emails;
  const [second] = later.body.data.emails;
  expect(await askRest(test, kit, { email: first.email })).toMatchObject({
    verdict: 'SKIPPED',
    cause: 'suppressed',
  });
  expect(await askRest(test, kit, { email: second.email })).toMatchObject({
    verdict: 'WAITING',
    cause: 'schedule',
    heldBy: 'schedule',
  });
  await send('POST', `/emails/${second.email}/cancel`);
  expect(await askRest(test, kit, { email: second.email })).toMatchObject({
    verdict: 'SKIPPED',
    cause: 'cancelled',
    headline: 'The email was cancelled by Secret key',
    chain: expect.arrayContaining([
      expect.objectContaining({ check: 'cancel', actor: { type: 'key', id: null, label: 'Secret key' } }),
    ]),
  });
});
