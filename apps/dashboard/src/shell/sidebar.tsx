import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { useApi } from '../lib/api.ts';
import { isLeader, useProject, useProjectPath, useUser } from '../lib/current.ts';
import { formatCount, plural } from '../lib/format.ts';
import { paths } from '../lib/paths.ts';
import { shownAddress } from '../lib/shown-address.rules.ts';
import { useMailboxUrl } from '../lib/use-configuration.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Icon } from '../ui/icon.tsx';
import { Logo } from '../ui/logo.tsx';
import { LogoutButton } from './logout-button.tsx';
import { type PlaceGroup, usePlaces } from './places.ts';
import { ProjectSwitcher } from './project-switcher.tsx';
import { SearchButton } from './search-button.tsx';
import styles from './sidebar.module.css';
import { ThemeSwitch } from './theme-switch.tsx';

/** @param onLeave called when a link is followed, so that a drawer can close */
export function Sidebar({ onLeave }: { onLeave?: () => void }) {
  const user = useUser();
  const mailbox = useMailboxUrl();
  const groups = usePlaces();
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // The places do not fit into a low window: that of the page is in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page has its place
  useEffect(() => {
    nav.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' });
  }, [pathname]);
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
      <div className={styles.find}>
        <ProjectSwitcher />
        <SearchButton onLeave={onLeave} />
      </div>
      <nav ref={nav} className={styles.nav} aria-label="Project">
        {groups.map((group) => (
          <Places key={group.title ?? ''} {...group} />
        ))}
      </nav>
      <div className={styles.foot}>
        <a href="/docs" target="_blank" rel="noreferrer" className={styles.place}>
          <Icon name="book" />
          Documentation
          <Icon name="external" size={12} />
        </a>
        {mailbox !== null && (
          <a href={mailbox} target="_blank" rel="noreferrer" className={styles.place}>
            <Icon name="mail" />
            Mailbox
            <Icon name="external" size={12} />
          </a>
        )}
        <Link to={paths.account} className={styles.user} title={shownAddress(user.email)}>
          <Avatar name={user.email} />
          <span className={styles.address}>{shownAddress(user.email)}</span>
        </Link>
        <div className={styles.tools}>
          <ThemeSwitch />
          <LogoutButton />
        </div>
      </div>
    </div>
  );
}

function Places({ places, title }: PlaceGroup) {
  const to = useProjectPath();
  return (
    <div>
      {title && <p className={styles.title}>{title}</p>}
      <ul>
        {places.map(({ page, label, icon }) => (
          <li key={page}>
            <NavLink to={to(page)} end={page === ''} className={styles.place ?? ''}>
              <Icon name={icon} />
              {label}
              {page === 'approvals' && <WaitingApprovals />}
            </NavLink>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** How many approvals wait, for those who may give them all. */
function WaitingApprovals() {
  const leads = isLeader(useProject());
  const list = useQuery({
    ...useApi().approvals.list.queryOptions({ status: 'PENDING', limit: 1 }),
    enabled: leads,
    refetchInterval: 60_000,
  });
  const count = list.data?.total ?? 0;
  if (count === 0) return null;
  return (
    <span className={styles.badge} title={`${plural(count, 'approval')} wait`}>
      {formatCount(count)}
    </span>
  );
}
