import { useCopy } from '../lib/use-copy.ts';
import { Button } from './button.tsx';

const words = { idle: 'Copy', copied: 'Copied', failed: 'Copy failed' };

/** @param label what is copied, for screen readers */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [state, copy] = useCopy();
  return (
    <>
      <Button
        kind="quiet"
        small
        icon={state === 'copied' ? 'check' : 'copy'}
        onClick={() => copy(text)}
        aria-label={`${words[state]}: ${label}`}
      >
        {words[state]}
      </Button>
      <span className="visually-hidden" role="status">
        {state === 'idle' ? '' : words[state]}
      </span>
    </>
  );
}
