import { useEngine } from '../lib/use-configuration.ts';
import { Notice } from '../ui/notice.tsx';

/** Says what waits while the Temporal server does not answer. */
export function EngineBanner({ className }: { className: string | undefined }) {
  const engine = useEngine();
  if (engine === null || engine.state === 'ok') return null;
  return (
    <div className={className} role="status">
      <Notice
        tone="warn"
        title={
          engine.state === 'starting'
            ? 'The workflow engine is starting'
            : 'The workflow engine does not answer'
        }
      >
        <p>
          Email, contacts, events and workflows go on. Campaigns, imports, exports and schedules are accepted,
          and begin when it is there.
        </p>
      </Notice>
    </div>
  );
}
