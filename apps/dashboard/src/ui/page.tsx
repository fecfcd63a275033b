import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useNavigationType } from 'react-router';
import { Icon } from './icon.tsx';
import styles from './page.module.css';

interface PageProps {
  title: string;
  /** In the place of the title where more than words are shown. */
  heading?: ReactNode;
  intro?: ReactNode;
  actions?: ReactNode;
  /** The page above this one. */
  back?: { to: string; label: string };
  /** Lines of text and forms read better when they are not as wide as a table. */
  narrow?: boolean;
  children: ReactNode;
}

export function Page({ title, heading = title, intro, actions, back, narrow, children }: PageProps) {
  const top = useFocusOnArrival();
  return (
    <div className={narrow ? `${styles.page} ${styles.narrow}` : styles.page}>
      <title>{`${title} · Postrider`}</title>
      <header className={styles.head}>
        {back && (
          <Link to={back.to} className={styles.back}>
            <Icon name="chevron" size={12} />
            {back.label}
          </Link>
        )}
        <div className={styles.row}>
          <h1 ref={top} tabIndex={-1}>
            {heading}
          </h1>
          {actions && <div className={styles.actions}>{actions}</div>}
        </div>
        {intro && <div className={styles.intro}>{intro}</div>}
      </header>
      {children}
    </div>
  );
}

/** A followed link leaves the focus on what is gone; the new page's heading takes it, and screen readers read it. */
function useFocusOnArrival() {
  const top = useRef<HTMLHeadingElement>(null);
  const arrival = useNavigationType();
  useEffect(() => {
    if (arrival === 'PUSH') top.current?.focus({ preventScroll: true });
  }, [arrival]);
  return top;
}
