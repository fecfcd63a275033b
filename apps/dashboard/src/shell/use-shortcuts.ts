import { useEffect, useRef } from 'react';
import { areShortcutsOn } from '../lib/shortcut-preference.ts';
import { placeKeys } from './places.ts';
import { type ShortcutTarget, sequenceMs, shortcutOf } from './shortcuts.rules.ts';

const pages = new Map(placeKeys.map(({ key, page }) => [key, page]));

/** Fields take keys as text, and a dialog or a menu has keys of its own. */
const takesKeys = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.closest(
      'input, textarea, select, [contenteditable], [role="textbox"], [role="combobox"], [role="dialog"], [role="menu"], [role="listbox"], dialog',
    ) !== null);

interface Handlers {
  onPalette: () => void;
  onShortcut: (target: ShortcutTarget) => void;
}

/** Listens for Ctrl+K or ⌘K, and for shortcuts of single keys outside of fields. */
export function useShortcuts(handlers: Handlers): void {
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  useEffect(() => {
    let lastG = Number.NEGATIVE_INFINITY;
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.altKey) return;
      if (event.ctrlKey || event.metaKey) {
        if (event.key.toLowerCase() !== 'k' || event.shiftKey) return;
        event.preventDefault();
        latest.current.onPalette();
        return;
      }
      if (event.repeat || takesKeys(event.target) || !areShortcutsOn()) return;
      const { target, leads } = shortcutOf(event.key, event.timeStamp - lastG < sequenceMs, pages);
      lastG = leads ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (target === null) return;
      event.preventDefault();
      latest.current.onShortcut(target);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}

/** As keyboards of the platform name it. */
export const paletteKeys = /mac|iphone|ipad/i.test(navigator.platform) ? '⌘K' : 'Ctrl K';
