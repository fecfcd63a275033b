import { useState } from 'react';
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

export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(savedTheme);
  return [
    theme,
    (chosen) => {
      writePreference(preference, chosen);
      applyTheme(chosen);
      setTheme(chosen);
    },
  ];
}
