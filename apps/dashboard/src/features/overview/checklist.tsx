import { Link } from 'react-router';
import type { Overview } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { Icon } from '../../ui/icon.tsx';
import styles from './checklist.module.css';

/** The steps from an empty project to the first campaign. */
export function Checklist({ overview: { domains, contacts, firstMailSent } }: { overview: Overview }) {
  const steps = [
    { done: firstMailSent, page: 'keys', title: 'Send your first email', text: 'Copy one curl command.' },
    {
      done: domains.verified > 0,
      page: 'domains',
      title: 'Verify a domain',
      text:
        domains.total === 0
          ? 'Add one DNS record, and send to everyone.'
          : 'Its DNS record has not been found yet.',
    },
    {
      done: contacts.total > 0,
      page: 'contacts',
      title: 'Import contacts',
      text: 'Sending and tracking also create contacts.',
    },
  ];
  return (
    <ol className={styles.list}>
      {steps.map((step) => (
        <Step key={step.page} {...step} />
      ))}
    </ol>
  );
}

export const isSetUp = ({ domains, contacts, firstMailSent }: Overview): boolean =>
  domains.verified > 0 && firstMailSent && contacts.total > 0;

function Step({ done, page, title, text }: { done: boolean; page: string; title: string; text: string }) {
  const to = useProjectPath();
  return (
    <li className={styles.step} data-done={done || undefined}>
      <span className={styles.mark}>{done && <Icon name="check" size={12} />}</span>
      <span>
        <Link to={to(page)}>{title}</Link>
        <span className="visually-hidden">{done ? ' (done)' : ' (to do)'}</span>
        {!done && <span className={styles.text}>{text}</span>}
      </span>
    </li>
  );
}
