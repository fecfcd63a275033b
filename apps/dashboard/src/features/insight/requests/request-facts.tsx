import { Link } from 'react-router';
import type { RequestEntry } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { formatCount } from '../../../lib/format.ts';
import { CopyChip } from '../../../ui/copy-chip.tsx';
import { Fact, Facts } from '../../../ui/facts.tsx';
import { Moment } from '../../../ui/time.tsx';
import { doorNames } from './door-names.ts';
import { ErrorGuide } from './error-guide.tsx';

export function RequestFacts({ entry }: { entry: RequestEntry }) {
  const to = useProjectPath();
  const { credential, emailIds } = entry;
  return (
    <Facts>
      <Fact name="When">
        <Moment at={entry.at} />
      </Fact>
      <Fact name="Duration">{formatCount(entry.durationMs)} ms</Fact>
      <Fact name="Interface">{doorNames[entry.door]}</Fact>
      {entry.code && (
        <Fact name="Error">
          <ErrorGuide code={entry.code} />
        </Fact>
      )}
      {entry.operation && (
        <Fact name="Operation" code>
          {entry.operation}
        </Fact>
      )}
      <Fact name="Key">
        {credential.label} ({credential.prefix}…)
      </Fact>
      {entry.ip && <Fact name="IP address">{entry.ip}</Fact>}
      {entry.userAgent && <Fact name="Client">{entry.userAgent}</Fact>}
      <Fact name="Request ID">
        <CopyChip text={entry.requestId} label="request ID" />
      </Fact>
      {entry.alike > 0 && (
        <Fact name="Alike">
          {formatCount(entry.alike)} more in the same minute, without an entry of their own
        </Fact>
      )}
      {emailIds.length > 0 && (
        <Fact name={emailIds.length === 1 ? 'Email' : 'Emails'}>
          {emailIds.map((id, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <Link to={to(`emails/${id}`)}>
                {emailIds.length === 1 ? 'View email' : `Email ${index + 1}`}
              </Link>
            </span>
          ))}
        </Fact>
      )}
    </Facts>
  );
}
