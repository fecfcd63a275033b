import { isLeader, useProject } from '../lib/current.ts';
import { useBillingEnabled } from '../lib/use-configuration.ts';
import type { IconName } from '../ui/icon.tsx';

/** A page of the navigation. */
export interface Place {
  page: string;
  label: string;
  icon: IconName;
  /** The key that opens it after `g`. */
  key: string;
  /** Other words that the command palette finds it by. */
  words?: string;
  /** shown to owners and admins only */
  leadersOnly?: boolean;
  /** shown where emails are billed */
  needsBilling?: boolean;
}

export interface PlaceGroup {
  title?: string;
  places: readonly Place[];
}

const groups: readonly PlaceGroup[] = [
  {
    places: [
      { page: '', label: 'Overview', icon: 'overview', key: 'o', words: 'home start dashboard' },
      { page: 'activity', label: 'Activity', icon: 'activity', key: 'a', words: 'feed history' },
    ],
  },
  {
    title: 'Send',
    places: [
      { page: 'campaigns', label: 'Campaigns', icon: 'campaign', key: 'c', words: 'newsletter broadcast' },
      { page: 'workflows', label: 'Workflows', icon: 'workflow', key: 'w', words: 'automation journey' },
      { page: 'templates', label: 'Templates', icon: 'template', key: 't', words: 'transactional' },
      { page: 'media', label: 'Media', icon: 'image', key: 'i', words: 'images uploads logo' },
      { page: 'emails', label: 'Emails', icon: 'mail', key: 'e', words: 'messages sent log' },
    ],
  },
  {
    title: 'Audience',
    places: [
      { page: 'contacts', label: 'Contacts', icon: 'contacts', key: 'p', words: 'people subscribers list' },
      { page: 'segments', label: 'Segments', icon: 'segment', key: 's', words: 'filter list group' },
      {
        page: 'forms',
        label: 'Forms',
        icon: 'form',
        key: 'j',
        words: 'sign-up subscribe double opt-in embed',
      },
      { page: 'events', label: 'Events', icon: 'event', key: 'v', words: 'track' },
      {
        page: 'privacy',
        label: 'Privacy',
        icon: 'person',
        key: 'z',
        words: 'gdpr erase export receipts forget',
        leadersOnly: true,
      },
    ],
  },
  {
    title: 'Insights',
    places: [
      {
        page: 'analytics',
        label: 'Analytics',
        icon: 'chart',
        key: 'n',
        words: 'statistics opens clicks figures',
      },
      {
        page: 'goals',
        label: 'Goals',
        icon: 'goal',
        key: 'f',
        words: 'conversions revenue attribution lift',
      },
      {
        page: 'reputation',
        label: 'Reputation',
        icon: 'reputation',
        key: 'r',
        words: 'bounces complaints spam',
      },
    ],
  },
  {
    title: 'Setup',
    places: [
      { page: 'keys', label: 'API keys', icon: 'key', key: 'k', words: 'token secret' },
      {
        page: 'approvals',
        label: 'Approvals',
        icon: 'audit',
        key: 'y',
        words: 'agent campaign consent confirm mcp',
      },
      {
        page: 'requests',
        label: 'Requests',
        icon: 'terminal',
        key: 'q',
        words: 'developers api log errors curl',
      },
      { page: 'domains', label: 'Domains', icon: 'globe', key: 'd', words: 'dns dkim spf dmarc sender' },
      { page: 'webhooks', label: 'Webhooks', icon: 'webhook', key: 'h', words: 'endpoints' },
      {
        page: 'consent',
        label: 'Consent',
        icon: 'check',
        key: 'u',
        words: 'topics preferences subscription unsubscribe opt-in',
      },
      { page: 'members', label: 'Members', icon: 'person', key: 'm', words: 'team users invite' },
      {
        page: 'billing',
        label: 'Billing',
        icon: 'card',
        key: 'b',
        words: 'invoices plan',
        needsBilling: true,
      },
      { page: 'audit', label: 'Audit log', icon: 'audit', key: 'l', words: 'changes', leadersOnly: true },
      { page: 'settings', label: 'Settings', icon: 'settings', key: 'x', words: 'project name tracking' },
    ],
  },
];

/** Every key that follows `g`, for the rules of shortcuts. */
export const placeKeys: readonly { page: string; label: string; key: string }[] = groups.flatMap(
  ({ places }) => places,
);

/** The pages that the user may open, as they are grouped in the sidebar. */
export function usePlaces(): readonly PlaceGroup[] {
  const leads = isLeader(useProject());
  const isBilled = useBillingEnabled();
  const isOpen = ({ leadersOnly = false, needsBilling = false }: Place) =>
    (leads || !leadersOnly) && (isBilled || !needsBilling);
  return groups.map((group) => ({ ...group, places: group.places.filter(isOpen) }));
}
