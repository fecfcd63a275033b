/** A page that is measured. */
export interface Room {
  label: string;
  /** within the project, starting with `/`; empty for the overview */
  path: string;
  /** a JavaScript expression that is true once the page can be used */
  ready: string;
}

const headed = (heading: string): string => `document.querySelector('h1')?.textContent === '${heading}'`;
const has = (selector: string): string => `document.querySelector('${selector}') !== null`;

/** The pages that are loaded from their address. @param ids paths of a sent campaign and of a workflow */
export const loadedRooms = (ids: { campaign: string; workflow: string }): Room[] => [
  { label: 'overview', path: '', ready: headed('Overview') },
  { label: 'contacts', path: '/contacts', ready: `${headed('Contacts')} && ${has('main tbody tr')}` },
  { label: 'campaign', path: ids.campaign, ready: has('main section[aria-label="Of emails sent"]') },
  { label: 'template editor', path: '/templates/new', ready: has('main iframe') },
  { label: 'workflow canvas', path: ids.workflow, ready: has('main .react-flow__node') },
];

/** Links of the sidebar with the pages that they open. */
export const linkedRooms: readonly Room[] = [
  { label: 'Contacts', path: '/contacts', ready: `${headed('Contacts')} && ${has('main tbody tr')}` },
  { label: 'Campaigns', path: '/campaigns', ready: `${headed('Campaigns')} && ${has('main tbody tr')}` },
  { label: 'Workflows', path: '/workflows', ready: `${headed('Workflows')} && ${has('main tbody tr')}` },
  { label: 'Analytics', path: '/analytics', ready: headed('Analytics') },
];
