import { useCopy } from '../lib/use-copy.ts';
import { Button } from './button.tsx';

interface CopyButtonProps {
  text: string;
  /** What is copied, for screen readers. */
  label: string;
  /** The text of the button, where several things can be copied. */
  word?: string;
}

export function CopyButton({ text, label, word = 'Copy' }: CopyButtonProps) {
  const [state, copy] = useCopy();
  const words = { idle: word, copied: 'Copied', failed: 'Copy failed' };
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
