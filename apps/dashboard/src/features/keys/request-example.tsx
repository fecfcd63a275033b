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
  /** The public key is shown in full. The secret key is masked on the page and included when copied. */
  keyType?: 'secret' | 'public';
}

/** A `curl` command with this project's key, domain and API address. */
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
          Returns 403 until <Link to={to('domains')}>the sender's domain is verified</Link>.
        </p>
      )}
    </div>
  );
}
