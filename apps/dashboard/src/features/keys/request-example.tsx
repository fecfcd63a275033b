import { useProject } from '../../lib/current.ts';
import { useApiUrl } from '../../lib/use-configuration.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { useSender } from '../domains/use-sender.ts';
import { maskKey } from './key-field.tsx';
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
  const apiUrl = useApiUrl();
  const from = useSender().address;
  if (keyType === 'public')
    return <CodeBlock title={title} code={build({ apiUrl, from, key: project.public })} />;
  const key = project.secret ?? '$POSTRIDER_SECRET_KEY';
  const shownKey = project.secret ? maskKey(project.secret) : key;
  return (
    <CodeBlock
      title={title}
      code={build({ apiUrl, from, key })}
      shown={build({ apiUrl, from, key: shownKey })}
    />
  );
}
