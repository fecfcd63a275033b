import { lazy, Suspense, useState } from 'react';
import { Link, Outlet, ScrollRestoration, useNavigation } from 'react-router';
import { InvitationsBanner } from '../features/people/members/invitations-banner.tsx';
import { BillingBanner } from '../features/settings/billing/billing-banner.tsx';
import { ReputationBanner } from '../features/settings/reputation/reputation-banner.tsx';
import { useProject, useProjectPath } from '../lib/current.ts';
import { Chip } from '../ui/chip.tsx';
import { Icon } from '../ui/icon.tsx';
import { Notice } from '../ui/notice.tsx';
import styles from './app-shell.module.css';
import { EngineBanner } from './engine-banner.tsx';
import { PaletteHost, useOpenPalette } from './palette-host.tsx';
import { Sidebar } from './sidebar.tsx';
import { UnsavedGuard } from './unsaved-guard.tsx';
import { useRecordPrefetch } from './use-record-prefetch.ts';

const Drawer = lazy(async () => ({ default: (await import('../ui/drawer.tsx')).Drawer }));

/** The frame around every page of a project. */
export function AppShell() {
  const project = useProject();
  const to = useProjectPath();
  const [drawer, setDrawer] = useState(false);
  useRecordPrefetch();
  const isLoading = useNavigation().state === 'loading';
  return (
    <PaletteHost>
      <div className={styles.shell} data-test={project.environment === 'TEST' || undefined}>
        <a href="#content" className={styles.skip}>
          Skip to content
        </a>
        <div className={styles.progress} data-on={isLoading || undefined} aria-hidden="true" />
        <aside className={styles.side} aria-label="Project and account">
          <Sidebar />
        </aside>
        <header className={styles.top}>
          <button
            type="button"
            className={styles.menu}
            aria-label="Menu"
            aria-haspopup="dialog"
            onClick={() => setDrawer(true)}
          >
            <Icon name="menu" />
          </button>
          <span className={styles.project}>{project.name}</span>
          {project.environment === 'TEST' && <Chip tone="warn">Test</Chip>}
          <NarrowSearch />
        </header>
        {drawer && (
          <Suspense>
            <Drawer label="Menu" onClose={() => setDrawer(false)}>
              <Sidebar onLeave={() => setDrawer(false)} />
            </Drawer>
          </Suspense>
        )}
        <main id="content" className={styles.main} tabIndex={-1}>
          {project.disabled && (
            <div className={styles.banner}>
              <Notice
                tone="warn"
                title="This project is disabled"
                action={project.disabledReason === 'PAYMENT_FAILED' && <Link to={to('billing')}>Pay</Link>}
              >
                <p>
                  Emails are not sent, and nothing can be added or changed. Data can still be exported and
                  deleted.
                  {project.disabledReason && ` Reason: ${disabledReasons[project.disabledReason]}.`}
                </p>
              </Notice>
            </div>
          )}
          <EngineBanner className={styles.banner} />
          <InvitationsBanner className={styles.banner} />
          <ReputationBanner className={styles.banner} />
          <BillingBanner className={styles.banner} />
          <UnsavedGuard>
            <Outlet />
          </UnsavedGuard>
        </main>
        {project.environment === 'TEST' && (
          <p className={styles.test} title="No email of this project leaves">
            Test
          </p>
        )}
        <ScrollRestoration />
      </div>
    </PaletteHost>
  );
}

function NarrowSearch() {
  const open = useOpenPalette();
  return (
    <button type="button" className={styles.menu} aria-label="Search" onClick={open}>
      <Icon name="search" />
    </button>
  );
}

const disabledReasons = {
  PAYMENT_FAILED: 'a payment failed',
  EMAIL_REPUTATION: 'too many of its emails bounced or were reported as spam',
  PHISHING_DETECTED: 'its emails looked like phishing',
  MANUAL: 'disabled by an administrator of this installation',
};
