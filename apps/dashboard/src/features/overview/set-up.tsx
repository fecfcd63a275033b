import type { Overview } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { RequestExample } from '../keys/request-example.tsx';
import { contactRequest, sendRequest } from '../keys/requests.ts';
import { Checklist } from './checklist.tsx';
import styles from './set-up.module.css';

/** What is still to do, and beside it the next thing of that. */
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
  if (domains.verified > 0) {
    return firstMailSent ? (
      <RequestExample title="Add a contact over the API" build={contactRequest} />
    ) : (
      <RequestExample title="Paste this into a terminal" build={sendRequest} />
    );
  }
  return (
    <div className={styles.next}>
      <p>
        Mail is sent only from domains that you have shown to be yours. Add the one behind the @ of your
        sender address, and create one DNS record for it; it is found within minutes.
      </p>
      <ButtonLink kind="primary" to={to('domains')}>
        {domains.total === 0 ? 'Add a domain' : 'See its DNS record'}
      </ButtonLink>
    </div>
  );
}
