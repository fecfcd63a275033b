import type { Overview } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { RequestExample } from '../keys/request-example.tsx';
import { contactRequest, sendRequest } from '../keys/requests.ts';
import { Checklist } from './checklist.tsx';
import styles from './set-up.module.css';

/** The checklist, with the next step beside it. */
export function SetUp({ overview }: { overview: Overview }) {
  return (
    <div className={styles.columns}>
      <Checklist overview={overview} />
      <NextStep overview={overview} />
    </div>
  );
}

function NextStep({ overview: { domains, firstMailSent } }: { overview: Overview }) {
  const to = useProjectPath();
  if (!firstMailSent) return <RequestExample title="Paste this into a terminal" build={sendRequest} />;
  if (domains.verified > 0) {
    return <RequestExample title="Add a contact with the API" build={contactRequest} />;
  }
  return (
    <div className={styles.next}>
      <p>
        To send to everyone, add the domain of your sender address, then create one DNS record for it. We
        usually find it within minutes.
      </p>
      <ButtonLink kind="primary" to={to('domains')}>
        {domains.total === 0 ? 'Add a domain' : 'View DNS record'}
      </ButtonLink>
    </div>
  );
}
