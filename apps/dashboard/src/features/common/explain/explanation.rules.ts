import type { Explanation } from '../../../lib/api.ts';

type Link = Explanation['chain'][number];
type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'calm';

/** The colour of a link of the chain. */
export const toneOf: Record<Link['outcome'], Tone> = {
  passed: 'good',
  stopped: 'bad',
  waiting: 'busy',
  unknown: 'warn',
  information: 'calm',
};

/** The word and colour of an answer. */
export const verdicts: Record<Explanation['verdict'], { word: string; tone: Tone }> = {
  DELIVERED: { word: 'Delivered', tone: 'good' },
  SENT: { word: 'Sent', tone: 'good' },
  WAITING: { word: 'Waiting', tone: 'busy' },
  SKIPPED: { word: 'Not sent', tone: 'calm' },
  FAILED: { word: 'Failed', tone: 'bad' },
  BOUNCED: { word: 'Bounced', tone: 'bad' },
  UNCERTAIN: { word: 'Uncertain', tone: 'warn' },
  NOT_CREATED: { word: 'No email', tone: 'calm' },
  ENTERED: { word: 'Entered', tone: 'good' },
  NOT_ENTERED: { word: 'Not entered', tone: 'calm' },
  MEMBER: { word: 'Member', tone: 'good' },
  NOT_MEMBER: { word: 'No member', tone: 'calm' },
  REACHABLE: { word: 'Reachable', tone: 'good' },
  PARTLY: { word: 'Transactional only', tone: 'warn' },
  UNREACHABLE: { word: 'Unreachable', tone: 'bad' },
};

/** The label of the button for an action: what it opens. */
const buttons: Record<string, string> = {
  'contacts.deleteSuppression': 'Open suppressions',
  'contacts.update': 'Open the contact',
  'contacts.upsert': 'Open contacts',
  'templates.create': 'New template',
  'templates.update': 'Open the template',
  'domains.create': 'Open domains',
  'domains.verify': 'Open the domain',
  'domains.health': 'Open the domain',
  'members.invite': 'Open members',
  'billing.portal': 'Open billing',
  'billing.setLimits': 'Open billing',
  'reputation.security': 'Open reputation',
  'sending.reschedule': 'Open the email',
  'sending.cancel': 'Open the email',
  'events.record': 'Open events',
  'segments.update': 'Open the segment',
  'segments.compute': 'Open the segment',
  'segments.addMembers': 'Open the segment',
  'campaigns.send': 'Open the campaign',
  'workflows.retryExecution': 'Open the execution',
  'workflows.retryExecutions': 'Open the failed executions',
};

/** By the area of the action, where no label is known. */
export function buttonOf(action: string): string {
  const known = buttons[action];
  if (known !== undefined) return known;
  const [area] = action.split('.');
  if (area === 'campaigns') return 'Open the campaign';
  return area === 'workflows' ? 'Open the workflow' : 'Open the page';
}

/** The page of an address that the API gives, within this dashboard. */
export const pathOf = (url: string): string => new URL(url).pathname;

/** What to do on the page that an action leads to, for who is there. */
const here: Record<string, string> = {
  'contacts.update': 'Under “Address and data” on this page.',
  'sending.reschedule': 'With “Change time” on this page.',
  'sending.cancel': 'With “Cancel email” on this page.',
  'campaigns.retry': 'On this page, beside the number of such emails.',
  'campaigns.createSequel': 'With “Send to the rest” on this page.',
  'campaigns.duplicate': 'With “Duplicate” on this page.',
  'campaigns.send': 'With “Send now” on this page.',
  'workflows.retryExecution': 'With “Retry from here” on this page.',
};

type Next = Explanation['next'][number];

export interface Step {
  text: string;
  /** the page that its button opens, and the label of that; null where there is nothing to open */
  button: { path: string; label: string } | null;
}

const plainPath = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path).toLowerCase();

/** Whether a path is that of the page that the reader is on. */
export const isSamePage = (path: string, pathname: string): boolean =>
  plainPath(path) === plainPath(pathname);

/**
 * What would change an answer, as the page shows it: what leads to the page itself says what to do there, and is left out where there is
 * nothing to say.
 */
export function stepsOf(next: readonly Next[], pathname: string): Step[] {
  return next.flatMap(({ action, text, url }): Step[] => {
    if (action === 'none' || url === null) return [{ text, button: null }];
    const path = pathOf(url);
    if (!isSamePage(path, pathname)) return [{ text, button: { path, label: buttonOf(action) } }];
    const where = here[action];
    return where === undefined ? [] : [{ text: `${text}. ${where}`, button: null }];
  });
}

/** The pages of records that a link of the chain is about; a workflow's execution needs its workflow. */
export function pageOf({ ref }: Link, { workflow }: Explanation['question']): string | null {
  if (!ref) return null;
  if (ref.type === 'execution')
    return workflow === null ? null : `workflows/${workflow}/executions/${ref.id}`;
  return `${ref.type}s/${ref.id}`;
}
