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

/** The pages of records that a link of the chain is about; a workflow's execution needs its workflow. */
export function pageOf({ ref }: Link, { workflow }: Explanation['question']): string | null {
  if (!ref) return null;
  if (ref.type === 'execution')
    return workflow === null ? null : `workflows/${workflow}/executions/${ref.id}`;
  return `${ref.type}s/${ref.id}`;
}
