import { useApiUrl } from '../../../lib/use-configuration.ts';

/** An error code that leads to its cause and remedy in the documentation. */
export function ErrorGuide({ code }: { code: string }) {
  return (
    <a href={`${useApiUrl()}/docs/errors/${code}`} target="_blank" rel="noreferrer">
      {code}
    </a>
  );
}
