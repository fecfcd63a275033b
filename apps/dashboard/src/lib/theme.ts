import { useSyncExternalStore } from 'react';
import { readPreference, writePreference } from './storage.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const preference = 'theme';

const savedTheme = (): Theme => themes.find((theme) => theme === readPreference(preference)) ?? 'system';

/** `light-dark()` in the style sheets follows `color-scheme`, which the attribute narrows. */
function applyTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
}

export const applySavedTheme = (): void => applyTheme(savedTheme());

const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
/** The theme of this page; without browser storage it is not remembered beyond it. */
let present: Theme | undefined;

export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore(subscribe, () => {
    present ??= savedTheme();
    return present;
  });
  return [
    theme,
    (chosen) => {
      present = chosen;
      writePreference(preference, chosen);
      applyTheme(chosen);
      for (const listener of listeners) listener();
    },
  ];
}
