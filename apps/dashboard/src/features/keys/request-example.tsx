import { Link } from 'react-router';
import { useProject, useProjectPath } from '../../lib/current.ts';
import { useApiUrl } from '../../lib/use-configuration.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { useSender } from '../domains/use-sender.ts';
import { maskKey } from './key-field.tsx';
import styles from './request-example.module.css';
import type { RequestParts } from './requests.ts';

interface RequestExampleProps {
  title: string;
  build: (parts: RequestParts) => string;
  /** The public key is shown as it is, the secret one masked: only the copy holds it. */
  keyType?: 'secret' | 'public';
}

/** A `curl` with this project's key, domain and API address in it. */
export function RequestExample({ title, build, keyType = 'secret' }: RequestExampleProps) {
  const project = useProject();
  const to = useProjectPath();
  const apiUrl = useApiUrl();
  const { address: from, isRefused } = useSender();
  const key = (keyType === 'public' ? project.public : project.secret) ?? '$POSTRIDER_SECRET_KEY';
  const shownKey = keyType === 'secret' && project.secret ? maskKey(project.secret) : key;
  const code = build({ apiUrl, from, key });
  return (
    <div className={styles.example}>
      <CodeBlock title={title} code={code} shown={build({ apiUrl, from, key: shownKey })} />
      {isRefused && code.includes(from) && (
        <p className={styles.note}>
          Refused with 403 until <Link to={to('domains')}>a domain is verified</Link> and stands behind the
          sender's @.
        </p>
      )}
    </div>
  );
}
