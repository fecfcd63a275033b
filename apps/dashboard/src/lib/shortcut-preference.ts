import { useState } from 'react';
import { readPreference, writePreference } from './storage.ts';

const preference = 'shortcuts';

/** Whether single keys are shortcuts in this browser. They can be switched off (WCAG 2.1.4). */
export const areShortcutsOn = (): boolean => readPreference(preference) !== 'off';

export function useShortcutPreference(): [boolean, (on: boolean) => void] {
  const [isOn, setOn] = useState(areShortcutsOn);
  return [
    isOn,
    (on) => {
      writePreference(preference, on ? 'on' : 'off');
      setOn(on);
    },
  ];
}
