import {
  goSample,
  phpSample,
  pythonSample,
  rubySample,
  type SampleRequest,
} from '@postrider/core/base/samples/contract';
import { useState } from 'react';
import { Link } from 'react-router';
import { type CurlRequest, curl } from '../../../lib/curl.ts';
import { useProject, useProjectPath, useUser } from '../../../lib/current.ts';
import { fetchCode } from '../../../lib/fetch-code.ts';
import { readPreference, writePreference } from '../../../lib/storage.ts';
import { useApiUrl } from '../../../lib/use-configuration.ts';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Segments } from '../../../ui/segments.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { useSender } from '../domains/use-sender.ts';
import { maskKey } from './key-field.tsx';
import styles from './request-example.module.css';
import type { RequestParts } from './requests.ts';

const languages = [
  { value: 'curl', label: 'curl' },
  { value: 'javascript', label: 'JavaScript' },
  { value: 'python', label: 'Python' },
  { value: 'go', label: 'Go' },
  { value: 'php', label: 'PHP' },
  { value: 'ruby', label: 'Ruby' },
] as const;
type Language = (typeof languages)[number]['value'];

const sampleOf = ({ url, key, body }: CurlRequest): SampleRequest => {
  const { origin, pathname } = new URL(url);
  return {
    method: 'POST',
    baseUrl: origin,
    target: pathname,
    credential: 'secret',
    key,
    json: body,
    form: null,
  };
};

const writers: Readonly<Record<Language, (request: CurlRequest) => string>> = {
  curl,
  javascript: fetchCode,
  python: (request) => pythonSample(sampleOf(request)),
  go: (request) => goSample(sampleOf(request)),
  php: (request) => phpSample(sampleOf(request)),
  ruby: (request) => rubySample(sampleOf(request)),
};

const codeOf = (request: CurlRequest | string, language: Language): string =>
  typeof request === 'string' ? request : writers[language](request);

const languagePreference = 'sample-language';

/** The language that was last chosen in this browser, for any request. */
function lastLanguage(): Language | undefined {
  const last = readPreference(languagePreference);
  return languages.find(({ value }) => value === last)?.value;
}

interface RequestExampleProps {
  title: string;
  /** A request, or a text that is no request. */
  build: (parts: RequestParts) => CurlRequest | string;
  /** The language that is shown until another one is chosen. */
  first?: Language;
  /** It is for a terminal, so there is nothing to choose. */
  onlyCurl?: boolean;
  /** The public key is shown in full. The secret key is masked on the page and included when copied. */
  keyType?: 'secret' | 'public';
}

/** A request with this project's key, domain and API address. It appears when these are known: a copied placeholder would be refused. */
export function RequestExample({
  title,
  build,
  first = 'curl',
  onlyCurl = false,
  keyType = 'secret',
}: RequestExampleProps) {
  const [language, setLanguage] = useState<Language>(() => (onlyCurl ? 'curl' : (lastLanguage() ?? first)));
  const choose = (chosen: Language) => {
    setLanguage(chosen);
    writePreference(languagePreference, chosen);
  };
  const project = useProject();
  const { email } = useUser();
  const path = useProjectPath();
  const apiUrl = useApiUrl();
  const { address: from, isSandbox, isKnown } = useSender();
  if (!isKnown) return <Skeleton lines={6} label="Loading the request" />;
  const to = isSandbox ? email : 'reader@example.com';
  const key = (keyType === 'public' ? project.public : project.secret) ?? '$POSTRIDER_SECRET_KEY';
  const shownKey = keyType === 'secret' && project.secret ? maskKey(project.secret) : key;
  const request = build({ apiUrl, from, to, key });
  const code = codeOf(request, language);
  return (
    <div className={styles.example}>
      <CodeBlock
        title={title}
        code={code}
        shown={codeOf(build({ apiUrl, from, to, key: shownKey }), language)}
        choice={
          typeof request !== 'string' &&
          !onlyCurl && (
            <Segments label={`Language: ${title}`} options={languages} value={language} onChange={choose} />
          )
        }
      />
      {isSandbox && code.includes(from) && (
        <p className={styles.note}>
          The sandbox sender reaches only members of the project.{' '}
          <Link to={path('domains')}>Verify a domain</Link> to send to everyone.
        </p>
      )}
    </div>
  );
}
