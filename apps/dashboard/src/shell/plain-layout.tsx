import { Link, Outlet } from 'react-router';
import { InvitationsBanner } from '../features/people/members/invitations-banner.tsx';
import { paths } from '../lib/paths.ts';
import { Logo } from '../ui/logo.tsx';
import { LogoutButton } from './logout-button.tsx';
import styles from './plain-layout.module.css';
import { ThemeSwitch } from './theme-switch.tsx';

/** Pages of the user rather than of a project. */
export function PlainLayout() {
  return (
    <>
      <header className={styles.top}>
        <Link to={paths.home} className={styles.brand}>
          <Logo size={22} />
          Postrider
        </Link>
        <span className={styles.tools}>
          <ThemeSwitch />
          <LogoutButton />
        </span>
      </header>
      <main className={styles.main}>
        <InvitationsBanner className={styles.banner} />
        <Outlet />
      </main>
    </>
  );
}
