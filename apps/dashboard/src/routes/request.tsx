import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { ErrorGuide } from '../features/insight/requests/error-guide.tsx';
import { requestCurl } from '../features/insight/requests/request-curl.rules.ts';
import { RequestFacts } from '../features/insight/requests/request-facts.tsx';
import { RequestOutcome } from '../features/insight/requests/request-outcome.tsx';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { useApiUrl } from '../lib/use-configuration.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import styles from '../ui/split.module.css';

/** One request of the log: what was asked, redacted, and how it was answered. */
export function Component() {
  const { requestId = '' } = useParams();
  const to = useProjectPath();
  const apiUrl = useApiUrl();
  const entry = useQuery(useApi().requests.get.queryOptions({ id: requestId }));
  const back = { to: to('requests'), label: 'Requests' };
  if (!entry.data) {
    return (
      <Page title="Request" back={back}>
        {entry.isError ? (
          <LoadFailure error={entry.error} retry={entry.refetch} />
        ) : (
          <Skeleton lines={10} label="Loading the request" />
        )}
      </Page>
    );
  }
  const { method, path, status, code, request, response } = entry.data;
  const command = requestCurl(entry.data, { apiUrl, key: '$POSTRIDER_SECRET_KEY' });
  return (
    <Page
      title={`${method} ${path}`}
      back={back}
      intro={
        <span className={styles.status}>
          <RequestOutcome status={status} />
          {code && <ErrorGuide code={code} />}
        </span>
      }
      actions={
        command && <CopyButton text={command} label="the request as a curl command" word="Copy as curl" />
      }
    >
      <div className={styles.columns}>
        <div className={styles.side}>
          <CodeBlock
            title="Request"
            code={request ? JSON.stringify(request, null, 2) : 'Nothing was read.'}
          />
          <CodeBlock
            title="Reply"
            code={response ? JSON.stringify(response, null, 2) : 'No error and no ids.'}
          />
        </div>
        <Panel title="Details">
          <RequestFacts entry={entry.data} />
        </Panel>
      </div>
    </Page>
  );
}
