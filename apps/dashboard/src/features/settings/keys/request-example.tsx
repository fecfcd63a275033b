import { Link } from 'react-router';
import { useProject, useProjectPath, useUser } from '../../../lib/current.ts';
import { useApiUrl } from '../../../lib/use-configuration.ts';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { useSender } from '../domains/use-sender.ts';
import { maskKey } from './key-field.tsx';
import styles from './request-example.module.css';
import type { RequestParts } from './requests.ts';

interface RequestExampleProps {
  title: string;
  build: (parts: RequestParts) => string;
  /** The public key is shown in full. The secret key is masked on the page and included when copied. */
  keyType?: 'secret' | 'public';
}

/** A `curl` command with this project's key, domain and API address. It appears when these are known: a copied placeholder would be refused. */
export function RequestExample({ title, build, keyType = 'secret' }: RequestExampleProps) {
  const project = useProject();
  const { email } = useUser();
  const path = useProjectPath();
  const apiUrl = useApiUrl();
  const { address: from, isSandbox, isKnown } = useSender();
  if (!isKnown) return <Skeleton lines={6} label="Loading the request" />;
  const to = isSandbox ? email : 'reader@example.com';
  const key = (keyType === 'public' ? project.public : project.secret) ?? '$POSTRIDER_SECRET_KEY';
  const shownKey = keyType === 'secret' && project.secret ? maskKey(project.secret) : key;
  const code = build({ apiUrl, from, to, key });
  return (
    <div className={styles.example}>
      <CodeBlock title={title} code={code} shown={build({ apiUrl, from, to, key: shownKey })} />
      {isSandbox && code.includes(from) && (
        <p className={styles.note}>
          The sandbox sender reaches only members of the project.{' '}
          <Link to={path('domains')}>Verify a domain</Link> to send to everyone.
        </p>
      )}
    </div>
  );
}
