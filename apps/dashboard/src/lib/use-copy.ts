import { useEffect, useState } from 'react';

const shownMs = 1_600;

/** Copies text; the state shows the result for a moment. */
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

/** Browsers offer the clipboard API only on https and localhost; a dashboard in an internal network may use neither. */
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
