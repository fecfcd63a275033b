import { useEffect, useState } from 'react';

const shownMs = 1_600;

/** Copies text, and says for a moment how that went. */
export function useCopy(): ['idle' | 'copied' | 'failed', (text: string) => void] {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), shownMs);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = (text: string) => {
    writeClipboard(text).then(
      () => setState('copied'),
      () => setState('failed'),
    );
  };
  return [state, copy];
}

/** Browsers offer the clipboard only on https and localhost; a dashboard inside a network often has neither. */
async function writeClipboard(text: string): Promise<void> {
  if (window.isSecureContext) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  if (!done) throw new Error('The browser refused to copy');
}
