import type { FlipReason } from '../../../audience/contacts/contacts.rules.ts';
import type { DisabledReason, SuppressionReason } from '../../../base/db/index.ts';
import { isSimulated, simulatorNameOf } from '../../../base/kernel/simulator.rules.ts';
import {
  type Actor,
  type Check,
  defineCheck,
  type Finding,
  link,
  type Next,
  next,
  nothing,
  onDay,
} from './check.rules.ts';
import type { Act, PersonFacts, ProjectFacts, SuppressionFact } from './facts.rules.ts';

/** Checks of a person and of the project: the same for an email, a contact and an audience. */

/** A decision of the recipient is shown, and never to be undone here. */
const receipts: Next = next(
  'templates.create',
  'What the contact needs whatever it subscribed to, such as receipts, is sent with a transactional template',
  { input: { type: 'TRANSACTIONAL' }, page: 'templates/new' },
);

interface Suppressed {
  person: PersonFacts;
  suppression: SuppressionFact;
  now: Date;
}

const entryOf = ({ suppression }: Suppressed, text: string, actor: Actor | null) =>
  link('suppression', 'stopped', text, {
    at: suppression.createdAt,
    actor,
    facts: {
      reason: suppression.reason,
      class: suppression.class,
      text: suppression.text,
      expiresAt: suppression.expiresAt,
    },
    ref: suppression.emailId === null ? null : { type: 'email', id: suppression.emailId },
  });

/** An entry with an end goes by itself, soon after it. */
function offTheList({ suppression: { expiresAt }, person, now }: Suppressed, text: string): Next[] {
  if (expiresAt !== null && expiresAt <= now)
    return [nothing('The entry has ended, and is removed within 15 minutes')];
  return [
    next(
      'contacts.deleteSuppression',
      expiresAt === null ? text : `${text}. By itself it ends at ${onDay(expiresAt)}`,
      { input: { email: person.address }, page: 'contacts/suppressions' },
    ),
  ];
}

const server: Actor = { type: 'server', id: null, label: 'The receiving mail server' };

export const suppressionChecks = {
  BOUNCE: defineCheck<Suppressed>((facts) => ({
    cause: 'suppressed',
    headline: 'The address is on the suppression list, because email to it bounced',
    links: [entryOf(facts, 'Email to the address bounced, so it was put on the suppression list', server)],
    next: [
      ...offTheList(facts, 'If the mailbox works again, take the address off the suppression list'),
      ...(facts.person.contact ? [correctAddress(facts.person.contact.id)] : []),
    ],
  })),
  COMPLAINT: defineCheck<Suppressed>((facts) => ({
    cause: 'suppressed',
    headline: 'The address is on the suppression list, because its owner marked email as spam',
    links: [
      entryOf(
        facts,
        'The recipient marked an email as spam, so the address was put on the suppression list',
        {
          type: 'recipient',
          id: facts.person.contact?.id ?? null,
          label: facts.person.address,
        },
      ),
    ],
    next: [nothing('The recipient wants no email. Leave the address on the suppression list')],
  })),
  MANUAL: defineCheck<Suppressed>((facts) => ({
    cause: 'suppressed',
    headline: 'The address was put on the suppression list by hand',
    links: [
      entryOf(facts, 'The address was put on the suppression list by hand, by a request or an import', null),
    ],
    next: offTheList(
      facts,
      'If it is there because the mailbox did not work, and it works again, take the address off; if its owner asked for it, leave it',
    ),
  })),
} satisfies Record<SuppressionReason, Check<Suppressed>>;

export const correctAddress = (id: string): Next =>
  next('contacts.update', 'If the address has a mistake, correct it', {
    input: { id },
    page: `contacts/${id}`,
  });

/** Why an address is on the suppression list at present; null when it is not. */
export function suppressedBy(person: PersonFacts, now: Date): Finding | null {
  const { suppression } = person;
  if (suppression) return suppressionChecks[suppression.reason]({ person, suppression, now });
  return null;
}

/** Who changed a subscription, and how, by the reason that its event has. */
const actReasons: Record<FlipReason, { by: 'recipient' | 'request' | 'server'; words: string }> = {
  api: { by: 'request', words: 'by a request of the API or the dashboard' },
  dashboard: { by: 'request', words: 'in the dashboard' },
  form: { by: 'recipient', words: 'by a sign-up form' },
  bulk: { by: 'request', words: 'by a bulk change' },
  import: { by: 'request', words: 'by an import' },
  workflow: { by: 'request', words: 'by a step of a workflow' },
  snooze_ended: { by: 'request', words: 'as its pause ended' },
  page: { by: 'recipient', words: 'on the page for recipients' },
  one_click: { by: 'recipient', words: 'with the unsubscribe button of a mail program' },
  bounce: { by: 'server', words: 'because email to it bounced' },
  complaint: { by: 'recipient', words: 'by marking an email as spam' },
};

const isKnownReason = (reason: string): reason is FlipReason => Object.hasOwn(actReasons, reason);

const reasonOf = (reason: string | null): { by: 'recipient' | 'request' | 'server' | null; words: string } =>
  reason !== null && isKnownReason(reason)
    ? actReasons[reason]
    : { by: null, words: 'for a reason that is not recorded' };

function actorOf(
  by: 'recipient' | 'request' | 'server' | null,
  { address, contact }: PersonFacts,
): Actor | null {
  if (by === 'recipient') return { type: 'recipient', id: contact?.id ?? null, label: address };
  return by === 'server' ? server : null;
}

/** An act as a link. */
export function linkOfAct(act: Act, person: PersonFacts, outcome: 'stopped' | 'information' | 'passed') {
  const { by, words } = reasonOf(act.reason);
  const did = act.subscribed
    ? 'The contact was subscribed'
    : act.snoozedUntil === null
      ? 'The subscription was ended'
      : 'The subscription was paused';
  return link('subscription', outcome, `${did} ${words}`, {
    at: act.at,
    facts: {
      subscribed: act.subscribed,
      reason: act.reason,
      ...(act.snoozedUntil === null ? {} : { snoozedUntil: act.snoozedUntil }),
    },
    actor: actorOf(by, person),
    ref: act.emailId === null ? null : { type: 'email', id: act.emailId },
  });
}

const asked: Next = nothing('The contact is not subscribed, and nobody but the person can change that');

/**
 * Why a person got nothing that needs a subscription at a time: by the last act before it.
 *
 * @param at null for now
 */
export function notSubscribed(person: PersonFacts, at: Date | null): Finding {
  const act = person.acts.find((each) => at === null || each.at.getTime() <= at.getTime());
  if (act && !act.subscribed) {
    const isPause = act.snoozedUntil !== null;
    return {
      cause: isPause ? 'snoozed' : 'unsubscribed',
      headline: isPause
        ? 'The contact has paused its subscription'
        : `The subscription was ended ${reasonOf(act.reason).words}`,
      links: [linkOfAct(act, person, 'stopped')],
      next: [
        isPause
          ? nothing(`The pause ends by itself on ${act.snoozedUntil?.slice(0, 10)}`)
          : nothing(
              'The contact is not subscribed. That is its decision, and stays until the contact changes it',
            ),
        receipts,
      ],
    };
  }
  return withoutAct(person, at, act ?? null);
}

function withoutAct(person: PersonFacts, at: Date | null, act: Act | null): Finding {
  const { contact, optOut } = person;
  if (!contact && optOut) {
    return {
      cause: 'unsubscribed',
      headline: optOut.byRecipient
        ? 'The owner of the address opted out, when it was another contact or before that was deleted'
        : 'The contact with this address was not subscribed when it was deleted',
      links: [
        link('opt-out', 'stopped', 'An opt-out of the address was kept when its contact was deleted', {
          at: optOut.createdAt,
          facts: { byRecipient: optOut.byRecipient },
          actor: optOut.byRecipient ? actorOf('recipient', person) : null,
        }),
      ],
      next: [nothing('The opt-out stays until its owner subscribes'), receipts],
    };
  }
  if (!contact)
    return notRecorded('No contact has this address now, so what it had decided is not known', act, person);
  if (contact.subscribed)
    return notRecorded(
      'The contact is subscribed now, and why it was not then is no longer stored',
      act,
      person,
    );
  if (contact.snoozedUntil !== null && at === null) {
    return {
      cause: 'snoozed',
      headline: 'The contact has paused its subscription',
      links: [
        link('subscription', 'stopped', 'The subscription is paused', {
          facts: { snoozedUntil: contact.snoozedUntil },
        }),
      ],
      next: [
        nothing(`The pause ends by itself on ${contact.snoozedUntil.toISOString().slice(0, 10)}`),
        receipts,
      ],
    };
  }
  const changedAt = contact.optedOutAt ?? contact.subscriptionChangedAt;
  if (changedAt !== null && (at === null || changedAt.getTime() <= at.getTime())) {
    const by = contact.byRecipient ? 'recipient' : null;
    return {
      cause: 'unsubscribed',
      headline: by ? 'The recipient, or a bounce, ended the subscription' : 'The subscription was ended',
      links: [
        link('subscription', 'stopped', 'The subscription was ended; how is no longer stored', {
          at: changedAt,
          facts: { subscribed: false, reason: null, byRecipient: contact.byRecipient },
          actor: actorOf(by, person),
        }),
      ],
      next: [nothing('The contact is not subscribed. That stays until the contact changes it'), receipts],
    };
  }
  if (changedAt !== null)
    return notRecorded(
      'The subscription changed later, and what it was then is no longer stored',
      act,
      person,
    );
  return {
    cause: 'never_subscribed',
    headline: 'The contact never subscribed',
    links: [
      link('subscription', 'stopped', 'The contact was created without a subscription', {
        at: contact.createdAt,
        facts: { subscribed: false },
        ref: { type: 'contact', id: contact.id },
      }),
    ],
    next: [asked, receipts],
  };
}

const notRecorded = (text: string, act: Act | null, person: PersonFacts): Finding => ({
  cause: 'unsubscribed',
  headline: 'The recipient was not subscribed then',
  links: [
    ...(act ? [linkOfAct(act, person, 'information')] : []),
    link('subscription', 'unknown', text, {
      facts: {
        subscribedNow: person.contact?.subscribed ?? null,
        changedAt: person.contact?.subscriptionChangedAt ?? null,
      },
    }),
  ],
  next: [nothing('The subscription has changed since, so nothing is to be done'), receipts],
});

/** The simulator's own address for it, which no list has. */
export const isSuppressedSimulator = (address: string): boolean =>
  isSimulated(address) && simulatorNameOf(address) === 'suppressed';

/** What a person in charge can do about a disabled project. */
const disabledWords: Record<DisabledReason, { words: string; next: Next }> = {
  PAYMENT_FAILED: {
    words: 'a payment failed',
    next: next('billing.portal', 'Pay the open invoice; the project is enabled with the payment', {
      page: 'billing',
    }),
  },
  EMAIL_REPUTATION: {
    words: 'too much of its email bounced or was marked as spam',
    next: next(
      'reputation.security',
      'Look at what bounced and was marked as spam, then ask the operator to enable it',
      {
        page: 'reputation',
      },
    ),
  },
  PHISHING_DETECTED: {
    words: 'its email was taken for phishing',
    next: next('reputation.security', 'Ask the operator of this installation', { page: 'reputation' }),
  },
  MANUAL: {
    words: 'the operator disabled it',
    next: nothing('Ask the operator of this installation', 'reputation'),
  },
};

/**
 * The suspension that explains what happened at a time.
 *
 * @param at null for now
 */
export function disabledProject({ disabledReason, suspensions }: ProjectFacts, at: Date | null): Finding {
  const suspension = suspensions.find((each) => at === null || each.at.getTime() <= at.getTime());
  const reason = suspension?.reason ?? disabledReason;
  const { words, next: remedy } = reason
    ? disabledWords[reason]
    : { words: 'why is not recorded', next: disabledWords.MANUAL.next };
  return {
    cause: 'project_disabled',
    headline: `The project was disabled: ${words}`,
    links: [
      suspension
        ? link('project', 'stopped', `The project was disabled: ${words}`, {
            at: suspension.at,
            facts: { reason: suspension.reason, liftedAt: suspension.liftedAt },
            actor: { type: 'system', id: null, label: 'Postrider' },
          })
        : link('project', reason ? 'stopped' : 'unknown', `The project was disabled: ${words}`, {
            facts: { reason },
          }),
    ],
    next: [remedy],
  };
}
