/** Why an email, a contact, a campaign, a workflow or a segment is where it is (behaviour B15.8). */

export type Outcome = 'passed' | 'stopped' | 'waiting' | 'information' | 'unknown';

/** Who did something: a user, a key or Postrider, as in the audit log; the recipient; or the receiving mail server. */
export interface Actor {
  type: 'user' | 'key' | 'system' | 'recipient' | 'server';
  id: string | null;
  label: string;
}

/** The record that a link is about. */
export interface Ref {
  type: 'email' | 'contact' | 'campaign' | 'workflow' | 'execution' | 'segment' | 'template' | 'domain';
  id: string;
}

/** One thing that is recorded, or follows from what is. */
export interface Link {
  /** null for what holds at present */
  at: Date | null;
  check: string;
  outcome: Outcome;
  text: string;
  facts: Record<string, unknown>;
  actor: Actor | null;
  ref: Ref | null;
}

/** What would change the answer. */
export interface Next {
  /** the operation that does it, or `none` where nothing should be done, or nobody here can */
  action: string;
  text: string;
  input: Record<string, unknown> | null;
  /** a page of the project in the dashboard */
  page: string | null;
}

/** What a check found to be the cause. */
export interface Finding {
  cause: Cause;
  headline: string;
  links: Link[];
  next: Next[];
}

/** Pure: what was read → what it means. */
export type Check<Facts> = (facts: Facts) => Finding;

/** Declares a check. The tables of checks have an entry for each value that they explain: a value without one does not compile. */
export const defineCheck = <Facts>(check: Check<Facts>): Check<Facts> => check;

/** Every cause. `unknown`: why is not recorded, or no longer. */
export const causes = [
  'suppressed',
  'unsubscribed',
  'never_subscribed',
  'snoozed',
  'topic',
  'sandbox',
  'cancelled',
  'project_disabled',
  'domain_removed',
  'domain_unverified',
  'billing_limit',
  'daily_limit',
  'storage_limit',
  'duplicate',
  'invalid',
  'complained',
  'render_failed',
  'no_mailbox',
  'no_domain',
  'closed',
  'full',
  'unreachable',
  'blocked',
  'authentication',
  'content',
  'too_large',
  'policy',
  'other',
  'gave_up',
  'uncertain',
  'schedule',
  'retry',
  'route',
  'queue',
  'cap',
  'quiet_hours',
  'paused',
  'pace',
  'test',
  'restore',
  'capped',
  'not_started',
  'freezing',
  'campaign_cancelled',
  'created_after_freeze',
  'not_in_audience',
  'not_subscribed_then',
  'not_enabled',
  'workflow_disabled_by_errors',
  'no_event',
  'event_before_enabled',
  'event_queued',
  'reentry_blocked',
  'trigger_filter',
  'entry_filter',
  'entry_limit',
  'entry_interval',
  'contact_existed',
  'no_date',
  'waiting',
  'branch',
  'step_failed',
  'exited',
  'moved_version',
  'goal_reached',
  'exit_rule',
  'held_out',
  'ended',
  'filter',
  'not_computed',
  'no_member',
  'unknown',
] as const;
export type Cause = (typeof causes)[number];

export const link = (
  check: string,
  outcome: Outcome,
  text: string,
  { at = null, facts = {}, actor = null, ref = null }: Partial<Omit<Link, 'check' | 'outcome' | 'text'>> = {},
): Link => ({ at, check, outcome, text, facts, actor, ref });

export const next = (
  action: string,
  text: string,
  { input = null, page = null }: Partial<Pick<Next, 'input' | 'page'>> = {},
): Next => ({ action, text, input, page });

/** Where a person decided so, or nothing helps. */
export const nothing = (text: string, page: string | null = null): Next => next('none', text, { page });

/** A time in words, in UTC. */
export const onDay = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
