import { Link } from 'react-router';
import { useProjectPath } from '../../../lib/current.ts';
import { Notice } from '../../../ui/notice.tsx';

/** For forms whose sender is the sandbox, because no domain is verified. */
export function SandboxNotice({ address }: { address: string }) {
  const to = useProjectPath();
  return (
    <Notice tone="warn" title="No verified domain yet">
      <p>
        You can start with {address}. Its emails reach only you and members with a verified address; everyone
        else is skipped. <Link to={to('domains')}>Verify a domain</Link> to send to your contacts.
      </p>
    </Notice>
  );
}
