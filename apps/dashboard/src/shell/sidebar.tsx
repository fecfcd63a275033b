import { Link, NavLink } from 'react-router';
import { isLeader, useProject, useProjectPath, useUser } from '../lib/current.ts';
import { paths } from '../lib/paths.ts';
import { useBillingEnabled } from '../lib/use-configuration.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Logo } from '../ui/logo.tsx';
import { LogoutButton } from './logout-button.tsx';
import { ProjectSwitcher } from './project-switcher.tsx';
import styles from './sidebar.module.css';
import { ThemeSwitch } from './theme-switch.tsx';

interface Place {
  page: string;
  label: string;
  icon: IconName;
  /** shown to owners and admins only */
  leadersOnly?: boolean;
  /** shown where emails are billed */
  needsBilling?: boolean;
}

const mailPlaces: Place[] = [
  { page: '', label: 'Overview', icon: 'overview' },
  { page: 'activity', label: 'Activity', icon: 'activity' },
  { page: 'analytics', label: 'Analytics', icon: 'chart' },
  { page: 'reputation', label: 'Reputation', icon: 'reputation' },
  { page: 'emails', label: 'Emails', icon: 'mail' },
  { page: 'campaigns', label: 'Campaigns', icon: 'campaign' },
  { page: 'workflows', label: 'Workflows', icon: 'workflow' },
  { page: 'contacts', label: 'Contacts', icon: 'contacts' },
  { page: 'segments', label: 'Segments', icon: 'segment' },
  { page: 'events', label: 'Events', icon: 'event' },
  { page: 'templates', label: 'Templates', icon: 'template' },
  { page: 'media', label: 'Media', icon: 'image' },
];

const setUpPlaces: Place[] = [
  { page: 'keys', label: 'API keys', icon: 'key' },
  { page: 'domains', label: 'Domains', icon: 'globe' },
  { page: 'webhooks', label: 'Webhooks', icon: 'webhook' },
  { page: 'members', label: 'Members', icon: 'person' },
  { page: 'billing', label: 'Billing', icon: 'card', needsBilling: true },
  { page: 'audit', label: 'Audit log', icon: 'audit', leadersOnly: true },
  { page: 'settings', label: 'Settings', icon: 'settings' },
];

/** @param onLeave called when a link is followed, so that a drawer can close */
export function Sidebar({ onLeave }: { onLeave?: () => void }) {
  const user = useUser();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click too
    // biome-ignore lint/a11y/noStaticElementInteractions: listens to the links inside
    <div
      className={styles.sidebar}
      onClick={({ target }) => {
        if (target instanceof Element && target.closest('a')) onLeave?.();
      }}
    >
      <Link to={paths.home} className={styles.brand}>
        <Logo size={22} />
        Postrider
      </Link>
      <ProjectSwitcher />
      <nav className={styles.nav} aria-label="Project">
        <Places places={mailPlaces} />
        <Places places={setUpPlaces} title="Setup" />
      </nav>
      <div className={styles.foot}>
        <a href="/docs" target="_blank" rel="noreferrer" className={styles.place}>
          <Icon name="book" />
          API reference
          <Icon name="external" size={12} />
        </a>
        <Link to={paths.account} className={styles.user} title={user.email}>
          <span className={styles.address}>{user.email}</span>
        </Link>
        <div className={styles.tools}>
          <ThemeSwitch />
          <LogoutButton />
        </div>
      </div>
    </div>
  );
}

function Places({ places, title }: { places: Place[]; title?: string }) {
  const to = useProjectPath();
  const leads = isLeader(useProject());
  const isBilled = useBillingEnabled();
  return (
    <div>
      {title && <p className={styles.title}>{title}</p>}
      <ul>
        {places
          .filter(
            ({ leadersOnly = false, needsBilling = false }) =>
              (leads || !leadersOnly) && (isBilled || !needsBilling),
          )
          .map(({ page, label, icon }) => (
            <li key={page}>
              <NavLink to={to(page)} end={page === ''} className={styles.place ?? ''}>
                <Icon name={icon} />
                {label}
              </NavLink>
            </li>
          ))}
      </ul>
    </div>
  );
}
