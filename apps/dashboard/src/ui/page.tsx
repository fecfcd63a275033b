import { ChevronRight } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useNavigationType } from 'react-router';
import styles from './page.module.css';
import { Shape } from './shape.tsx';

interface PageProps {
  title: string;
  /** Replaces the title where the heading is more than text. */
  heading?: ReactNode;
  intro?: ReactNode;
  actions?: ReactNode;
  /** The page above this one. */
  back?: { to: string; label: string };
  /** For text and forms, which are easier to read when narrower than a table. */
  narrow?: boolean;
  /** For editors with panes side by side. */
  wide?: boolean;
  children: ReactNode;
}

export function Page({ title, heading = title, intro, actions, back, narrow, wide, children }: PageProps) {
  const top = useFocusOnArrival();
  return (
    <div
      className={`${styles.page} ${narrow ? styles.narrow : ''} ${wide ? styles.wide : ''}`}
      data-wide={wide || undefined}
    >
      <title>{`${title} · Postrider`}</title>
      <header className={styles.head}>
        {back && (
          <Link to={back.to} className={styles.back}>
            <Shape of={ChevronRight} size={12} />
            <span>{back.label}</span>
          </Link>
        )}
        <div className={styles.row}>
          <h1 ref={top} tabIndex={-1} className={heading === title ? styles.title : ''} title={hint(title)}>
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

/** The whole of a title that may be shortened, for the pointer. */
const hint = (title: string): string | undefined => (title.length > 60 ? title : undefined);

/** After a link is followed, moves the focus to the heading of the new page, so that screen readers announce it. */
function useFocusOnArrival() {
  const top = useRef<HTMLHeadingElement>(null);
  const arrival = useNavigationType();
  useEffect(() => {
    if (arrival === 'PUSH') top.current?.focus({ preventScroll: true });
  }, [arrival]);
  return top;
}
